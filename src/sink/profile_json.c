// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * --format json of profiles, one object per line: first the recording; then each function of which
 * more than the name is known:
 *
 *     {"function":"do_idle","module":"[kernel.kallsyms]","kernel":true}
 *
 * and each stack, outermost function first:
 *
 *     {"group":["spin"],"event":0,"stack":["main","work"],"kernel":0,"samples":12,"weight":N}
 *
 * `event` is an index into the events of the first line; the innermost `kernel` functions are the
 * kernel's. A cut stack has "truncated":true.
 */
#include "sink/profile_json.h"

#include <errno.h>
#include <string.h>

#include "sink/out.h"
#include "sink/profile_sink.h"

extern const struct sink_ops profile_json_sink;

void profile_json__put_str(struct strbuf *sb, const char *key, const char *text)
{
	strbuf__puts(sb, ",\"");
	strbuf__puts(sb, key);
	strbuf__puts(sb, "\":");
	strbuf__put_json(sb, text, strlen(text));
}

void profile_json__put_u64(struct strbuf *sb, const char *key, uint64_t v)
{
	strbuf__puts(sb, ",\"");
	strbuf__puts(sb, key);
	strbuf__puts(sb, "\":");
	strbuf__put_u64(sb, v);
}

static void put_events(const struct profile *p, struct strbuf *sb)
{
	uint32_t i;

	strbuf__puts(sb, ",\"events\":[");
	for (i = 0; i < p->event_cnt; i++) {
		const struct profile_event *ev = &p->events[i];
		const char *name = profile__text(p, ev->name);

		strbuf__puts(sb, i ? ",{\"name\":" : "{\"name\":");
		strbuf__put_json(sb, name, strlen(name));
		profile_json__put_str(sb, "unit", ev->is_ns ? "ns" : "count");
		profile_json__put_str(sb, "kind",
				      ev->kind == SAMPLE_OFF_CPU ? "off-cpu" : "on-cpu");
		strbuf__puts(sb, ev->old ? ",\"old\":true" : ",\"old\":false");
		profile_json__put_u64(sb, "samples", ev->samples);
		profile_json__put_u64(sb, "weight", ev->weight);
		profile_json__put_u64(sb, "truncated", ev->truncated);
		strbuf__putc(sb, '}');
	}
	strbuf__putc(sb, ']');
}

static void put_lost(const struct profile *p, struct strbuf *sb)
{
	const char *sep = "";
	size_t i;

	profile_json__put_u64(sb, "lost", profile__lost(p));
	strbuf__puts(sb, ",\"lost_by\":{");
	for (i = 0; i < LOST_CAUSE_CNT; i++) {
		if (!p->meta.lost[i])
			continue;
		strbuf__puts(sb, sep);
		strbuf__put_json(sb, lost_cause__name((enum lost_cause)i),
				 strlen(lost_cause__name((enum lost_cause)i)));
		strbuf__putc(sb, ':');
		strbuf__put_u64(sb, p->meta.lost[i]);
		sep = ",";
	}
	strbuf__putc(sb, '}');
}

void profile_json__put_head(const struct profile *p, struct strbuf *sb)
{
	const struct profile_meta *m = &p->meta;
	struct strbuf summary = STRBUF_INIT;

	strbuf__puts(sb, "\"profile\":1,\"by\":\"bpfperf " BPFPERF_VERSION "\"");
	profile__put_summary(p, &summary);
	profile_json__put_str(sb, "summary", strbuf__cstr(&summary));
	strbuf__free(&summary);
	put_events(p, sb);
	if (m->freq_hz)
		profile_json__put_u64(sb, "freq", m->freq_hz);
	if (m->period)
		profile_json__put_u64(sb, "period", m->period);
	if (m->begin_real_ns)
		profile_json__put_u64(sb, "begin_ns", m->begin_real_ns);
	if (m->duration_ns)
		profile_json__put_u64(sb, "duration_ns", m->duration_ns);
	if (m->command)
		profile_json__put_str(sb, "command", m->command);
	if (m->host)
		profile_json__put_str(sb, "host", m->host);
	if (m->kernel)
		profile_json__put_str(sb, "kernel", m->kernel);
	if (m->throttled) {
		profile_json__put_u64(sb, "throttled", m->throttled);
		profile_json__put_u64(sb, "throttled_ns", m->throttled_ns);
	}
	profile_json__put_u64(sb, "samples", profile__samples(p));
	profile_json__put_u64(sb, "truncated", profile__truncated(p));
	put_lost(p, sb);
}

static int put_funcs(struct sink *sink, const struct profile *p)
{
	struct strbuf *sb = &sink->out->buf;
	uint32_t i;
	int err = 0;

	for (i = 0; i < p->func_cnt && !err; i++) {
		const struct profile_func *f = &p->funcs[i];
		const char *name = profile__text(p, f->name);

		if (!*profile__text(p, f->module) && !f->kern)
			continue;
		strbuf__puts(sb, "{\"function\":");
		strbuf__put_json(sb, name, strlen(name));
		profile_json__put_str(sb, "module", profile__text(p, f->module));
		strbuf__puts(sb, f->kern ? ",\"kernel\":true}\n" : ",\"kernel\":false}\n");
		err = out__commit(sink->out);
	}
	return err;
}

static int put_stack(struct sink *sink, struct profile *p, const struct profile_stack *st)
{
	struct strbuf *sb = &sink->out->buf;
	const char *name = profile__text(p, st->group[0]);
	const uint32_t *funcs;
	uint32_t kern_cnt = 0;
	bool first = true;
	uint16_t cnt, f;
	size_t i;

	strbuf__puts(sb, "{\"group\":[");
	strbuf__put_json(sb, name, strlen(name));
	if (st->group[1] != TEXTS_NONE) {
		name = profile__text(p, st->group[1]);
		strbuf__putc(sb, ',');
		strbuf__put_json(sb, name, strlen(name));
	}
	strbuf__puts(sb, "],\"event\":");
	strbuf__put_u64(sb, st->event);
	strbuf__puts(sb, ",\"stack\":[");
	for (i = profile_stack__depth(st); i--;) {
		funcs = profile__funcs(p, p->frames[st->at + i], &cnt);
		for (f = 0; f < cnt; f++, first = false) {
			name = profile__text(p, p->funcs[funcs[f]].name);
			if (!first)
				strbuf__putc(sb, ',');
			strbuf__put_json(sb, name, strlen(name));
			kern_cnt = p->funcs[funcs[f]].kern ? kern_cnt + 1 : 0;
		}
	}
	strbuf__putc(sb, ']');
	profile_json__put_u64(sb, "kernel", kern_cnt);
	profile_json__put_u64(sb, "samples", st->samples);
	profile_json__put_u64(sb, "weight", st->weight);
	strbuf__puts(sb, st->truncated ? ",\"truncated\":true}\n" : "}\n");
	return out__commit(sink->out);
}

/* Looks all names up first, since functions are printed before stacks. */
static int look_up_all(struct profile *p)
{
	uint32_t i;
	uint16_t cnt;

	for (i = 0; i < p->loc_cnt; i++)
		if (!profile__funcs(p, i, &cnt))
			return -ENOMEM;
	return 0;
}

static int profile_json_end(struct sink *sink)
{
	struct profile *p = profile_sink__finish(sink);
	struct strbuf *sb = &sink->out->buf;
	int err = look_up_all(p);
	size_t i;

	if (err)
		return err;
	strbuf__putc(sb, '{');
	profile_json__put_head(p, sb);
	strbuf__puts(sb, "}\n");
	err = put_funcs(sink, p);
	for (i = 0; i < p->stack_cnt && !err; i++)
		err = put_stack(sink, p, &p->stacks[i]);
	return err;
}

const struct sink_ops profile_json_sink = {
	.name = "json",
	.suffix = ".json",
	.begin = profile_sink__begin,
	.end = profile_json_end,
	PROFILE_SINK_OPS,
};
