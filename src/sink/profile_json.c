// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * --format json of profiles, one object per line: first the recording; then each function of which
 * more than the name is known:
 *
 *     {"function":"do_idle","module":"[kernel.kallsyms]","kernel":true}
 *
 * then each function at each address:
 *
 *     {"frame":7,"name":"main","module":"/x","in_kernel":false,"address":"0x401126","offset":38}
 *
 * and each stack of names, outermost function first, with the ways through it by address:
 *
 *     {"group":["spin"],"event":0,"stack":["main","work"],"kernel":0,"samples":12,"weight":N,
 *      "paths":[{"frames":[7,3],"samples":12,"weight":N}]}
 *
 * `event` is an index into the events of the first line; the innermost `kernel` functions are the
 * kernel's. A cut stack has "truncated":true. docs/profile.schema.json describes all members.
 */
#include "sink/profile_json.h"

#include <errno.h>
#include <string.h>

#include "sink/out.h"
#include "sink/profile_sink.h"
#include "profile/stack_sums.h"

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

static void put_kind(struct strbuf *sb, enum frame_kind kind)
{
	if (frame_kinds[kind])
		profile_json__put_str(sb, "kind", frame_kinds[kind]);
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
		strbuf__puts(sb, f->kern ? ",\"kernel\":true" : ",\"kernel\":false");
		put_kind(sb, f->kind);
		strbuf__puts(sb, "}\n");
		err = out__commit(sink->out);
	}
	return err;
}

/* Puts a line for each function of each location; stacks refer to them by `frame`. */
static int put_loc_frames(struct sink *sink, const struct profile *p, const struct profile_loc *l)
{
	struct strbuf *sb = &sink->out->buf;
	uint32_t at;

	for (at = l->func; at < l->func + l->func_cnt; at++) {
		const struct profile_func *f = &p->funcs[p->loc_funcs[at]];
		const struct profile_line *line = &p->loc_lines[at];
		const char *name = profile__text(p, f->name);

		strbuf__puts(sb, "{\"frame\":");
		strbuf__put_u64(sb, at);
		strbuf__puts(sb, ",\"name\":");
		strbuf__put_json(sb, name, strlen(name));
		if (*profile__text(p, f->module))
			profile_json__put_str(sb, "module", profile__text(p, f->module));
		strbuf__puts(sb, f->kern ? ",\"in_kernel\":true" : ",\"in_kernel\":false");
		put_kind(sb, line->is_inlined ? FRAME_INLINED : f->kind);
		if (l->space != PROFILE_NAMED && !frame_kind__is_interpreted(f->kind)) {
			strbuf__puts(sb, ",\"address\":\"0x");
			strbuf__put_hex(sb, l->vaddr);
			strbuf__putc(sb, '"');
		}
		if (l->space != PROFILE_NAMED && !frame_kind__is_interpreted(f->kind) &&
		    l->func_off != PROFILE_NO_OFF)
			profile_json__put_u64(sb, "offset", l->func_off);
		if (line->file != TEXTS_NONE)
			profile_json__put_str(sb, "file", profile__text(p, line->file));
		if (line->line)
			profile_json__put_u64(sb, "line", line->line);
		strbuf__puts(sb, line->is_inlined ? ",\"inlined\":true}\n" : "}\n");
	}
	return out__commit(sink->out);
}

static int put_frames(struct sink *sink, const struct profile *p)
{
	uint32_t i;
	int err = 0;

	for (i = 0; i < p->loc_cnt && !err; i++)
		err = put_loc_frames(sink, p, &p->locs[i]);
	return err;
}

/* Puts an array: the names of a stack's functions, or the numbers of their frames. */
static uint32_t put_path(struct strbuf *sb, const struct profile *p, const struct profile_stack *st,
			 bool names)
{
	const char *sep = "", *name;
	uint32_t kern_cnt = 0, at;
	size_t i;

	strbuf__putc(sb, '[');
	for (i = profile_stack__depth(st); i--;) {
		const struct profile_loc *l = &p->locs[p->frames[st->at + i]];

		for (at = l->func; at < l->func + l->func_cnt; at++, sep = ",") {
			name = profile__text(p, p->funcs[p->loc_funcs[at]].name);
			strbuf__puts(sb, sep);
			if (names)
				strbuf__put_json(sb, name, strlen(name));
			else
				strbuf__put_u64(sb, at);
			kern_cnt = p->funcs[p->loc_funcs[at]].kern ? kern_cnt + 1 : 0;
		}
	}
	strbuf__putc(sb, ']');
	return kern_cnt;
}

/* Puts the stacks of one list, which have equal names: their sum, then each by its addresses. */
static int put_stack(struct sink *sink, const struct profile *p, const struct stack_sums *sums,
		     uint32_t head)
{
	const struct profile_stack *st = &p->stacks[head];
	struct strbuf *sb = &sink->out->buf;
	const char *name = profile__text(p, st->group[0]), *sep = "";
	uint64_t samples = 0, weight = 0;
	uint32_t kern_cnt, i;

	strbuf__puts(sb, "{\"group\":[");
	strbuf__put_json(sb, name, strlen(name));
	if (st->group[1] != TEXTS_NONE) {
		name = profile__text(p, st->group[1]);
		strbuf__putc(sb, ',');
		strbuf__put_json(sb, name, strlen(name));
	}
	strbuf__puts(sb, "],\"event\":");
	strbuf__put_u64(sb, st->event);
	strbuf__puts(sb, ",\"stack\":");
	kern_cnt = put_path(sb, p, st, true);
	for (i = head; i != STACK_SUMS_END; i = sums->next[i]) {
		samples += p->stacks[i].samples;
		weight += p->stacks[i].weight;
	}
	profile_json__put_u64(sb, "kernel", kern_cnt);
	profile_json__put_u64(sb, "samples", samples);
	profile_json__put_u64(sb, "weight", weight);
	if (st->truncated)
		strbuf__puts(sb, ",\"truncated\":true");
	strbuf__puts(sb, ",\"paths\":[");
	for (i = head; i != STACK_SUMS_END; i = sums->next[i], sep = ",") {
		strbuf__puts(sb, sep);
		strbuf__puts(sb, "{\"frames\":");
		put_path(sb, p, &p->stacks[i], false);
		profile_json__put_u64(sb, "samples", p->stacks[i].samples);
		profile_json__put_u64(sb, "weight", p->stacks[i].weight);
		strbuf__putc(sb, '}');
	}
	strbuf__puts(sb, "]}\n");
	return out__commit(sink->out);
}

static int put_stacks(struct sink *sink, const struct profile *p)
{
	struct stack_sums sums;
	uint32_t i;
	int err = stack_sums__make(&sums, p);

	for (i = 0; i < p->stack_cnt && !err; i++)
		if (sums.is_head[i])
			err = put_stack(sink, p, &sums, i);
	stack_sums__free(&sums);
	return err;
}

static int profile_json_end(struct sink *sink)
{
	struct profile *p = profile_sink__finish(sink);
	struct strbuf *sb = &sink->out->buf;
	int err = profile__look_up_all(p); /* functions are printed before stacks */

	if (err)
		return err;
	strbuf__putc(sb, '{');
	profile_json__put_head(p, sb);
	strbuf__puts(sb, "}\n");
	err = put_funcs(sink, p);
	if (!err)
		err = put_frames(sink, p);
	return err ? err : put_stacks(sink, p);
}

const struct sink_ops profile_json_sink = {
	.name = "json",
	.suffix = ".json",
	.begin = profile_sink__begin,
	.end = profile_json_end,
	PROFILE_SINK_OPS,
};
