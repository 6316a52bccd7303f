// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * --format json: one object per line, fields typed like in the tracefs format;
 * docs/trace.schema.json describes the members. The first object also has the start in both clocks,
 * so that the file's times can be related to real time.
 */
#include <errno.h>
#include <string.h>

#include "event/event.h"
#include "sink/callstack.h"
#include "sink/clock.h"
#include "sink/counter_text.h"
#include "sink/field_plan.h"
#include "sink/out.h"
#include "sink/plan_heads.h"
#include "sink/sample_value.h"
#include "sink/sink.h"
#include "sink/task_text.h"
#include "sym/named.h"

struct json {
	struct field_plans plans;
	struct plan_heads heads; /* ,"event":"sched:sched_switch" */
	struct task_text_cache tasks; /* ,"pid":4242,"tid":4242,"comm":"bash" */
	uint64_t prev_ns;
	bool started; /* the first object has been put */
	struct callstack_printer callstacks;
};

static void put_start(struct sink *sink)
{
	static const char *const names[] = { "mono", "real", "rel", "delta" };
	struct strbuf *out = &sink->out->buf;
	struct json *j = sink->priv;

	j->started = true;
	if (sink->cfg.is_recorded)
		return;
	strbuf__puts(out, ",\"start\":{\"mono_ns\":");
	strbuf__put_u64(out, sink->cfg.start_mono_ns);
	strbuf__puts(out, ",\"real_ns\":");
	strbuf__put_u64(out, sink->cfg.start_mono_ns + (uint64_t)sink->cfg.mono_to_real_ns);
	strbuf__puts(out, ",\"clock\":\"");
	strbuf__puts(out, names[sink->cfg.time]);
	strbuf__puts(out, "\"}");
}

static void put_time_cpu(struct sink *sink, uint64_t time_ns, uint32_t cpu)
{
	struct strbuf *out = &sink->out->buf;
	struct json *j = sink->priv;

	strbuf__puts(out, "{\"time\":");
	strbuf__put_u64(out, clock__convert(&sink->cfg, time_ns, &j->prev_ns));
	if (cpu != UINT32_MAX) {
		strbuf__puts(out, ",\"cpu\":");
		strbuf__put_u64(out, cpu);
	}
}

/* NULL: no memory. */
static const struct strbuf *head_of(struct json *j, const struct field_plan *plan,
				    const struct event *ev)
{
	struct plan_head *head = plan_heads__get(&j->heads, plan);

	if (!head || head->event == ev)
		return head ? &head->text : NULL;
	head->event = ev;
	strbuf__reset(&head->text);
	strbuf__puts(&head->text, ",\"event\":");
	strbuf__put_json(&head->text, ev->name, strlen(ev->name));
	return &head->text;
}

/* Puts ,"syscall":"openat" and, if it failed, ,"error":"ENOENT" */
static void put_syscall(struct strbuf *out, const struct field_plan *plan, const struct sample *s)
{
	const char *name = field_plan__syscall_name(plan, s);
	const char *error = field_plan__syscall_error(plan, s->raw, s->raw_sz);

	if (name) {
		strbuf__puts(out, ",\"syscall\":\"");
		strbuf__puts(out, name);
		strbuf__putc(out, '"');
	}
	if (error) {
		strbuf__puts(out, ",\"error\":\"");
		strbuf__puts(out, error);
		strbuf__putc(out, '"');
	}
}

static void put_task(const struct sample *s, struct strbuf *out)
{
	strbuf__puts(out, ",\"pid\":");
	strbuf__put_s64(out, s->pid);
	strbuf__puts(out, ",\"tid\":");
	strbuf__put_s64(out, s->tid);
	strbuf__puts(out, ",\"comm\":");
	strbuf__put_json(out, s->comm, strlen(s->comm));
}

/* {"kind":"python","name":"Views.get","module":"/srv/app.py","line":18} */
static void put_code(struct strbuf *out, const struct sym_result *res)
{
	strbuf__puts(out, "{\"kind\":\"");
	strbuf__puts(out, frame_kinds[res->kind]);
	strbuf__putc(out, '"');
	if (res->name) {
		strbuf__puts(out, ",\"name\":");
		strbuf__put_json(out, res->name, strlen(res->name));
	}
	strbuf__puts(out, ",\"module\":");
	strbuf__put_json(out, res->module, strlen(res->module));
	if (res->line) {
		strbuf__puts(out, ",\"line\":");
		strbuf__put_u64(out, res->line);
	}
	strbuf__putc(out, '}');
}

/* {"ip":"0x7f12345678","name":"read","off":18,"module":"/usr/lib/libc.so.6"} */
static void put_function(struct strbuf *out, uint64_t addr, const struct sym_result *res,
			 unsigned int how)
{
	if (!(how & CALLSTACK_FIRST))
		strbuf__putc(out, ',');
	if (frame_kind__is_interpreted(res->kind)) {
		put_code(out, res);
		return;
	}
	strbuf__puts(out, "{\"ip\":\"0x");
	strbuf__put_hex(out, addr);
	strbuf__putc(out, '"');
	if (res->name) {
		strbuf__puts(out, ",\"name\":");
		strbuf__put_json(out, res->name, strlen(res->name));
	}
	strbuf__puts(out, ",\"off\":");
	strbuf__put_u64(out, res->off);
	strbuf__puts(out, ",\"module\":");
	strbuf__put_json(out, res->module, strlen(res->module));
	if (how & CALLSTACK_GUESSED)
		strbuf__puts(out, ",\"by\":\"fp\"");
	strbuf__putc(out, '}');
}

/* Puts ,"stack":[…], innermost first; null: the stack was lost */
static int put_callstack(struct json *j, const struct sample *s, struct strbuf *out)
{
	int err;

	strbuf__puts(out, s->stack_lost ? ",\"stack\":null" : ",\"stack\":[");
	err = callstack_printer__put(&j->callstacks, s->names, out);
	if (!s->stack_lost)
		strbuf__putc(out, ']');
	return err;
}

static int json_begin(struct sink *sink)
{
	struct json *j = sink->priv;

	callstack_printer__init(&j->callstacks, put_function);
	return task_text_cache__init(&j->tasks, put_task);
}

/*
 * Puts ,"event":"cycles","period":4000000,"ip":"0x…","stack":[…] of a recorded event without
 * fields.
 */
static int put_value(struct json *j, const struct sample *s, struct strbuf *out)
{
	strbuf__puts(out, ",\"event\":");
	strbuf__put_json(out, s->event->name, strlen(s->event->name));
	sample_value__put_json(s, out);
	return put_callstack(j, s, out);
}

/* ,"event":"sched:sched_switch","fields":{…},"stack":[…] */
static int put_event(struct sink *sink, const struct sample *s, struct strbuf *out)
{
	struct json *j = sink->priv;
	const struct field_plan *plan = field_plans__get(&j->plans, s->event->fmt);
	const struct strbuf *head = plan ? head_of(j, plan, s->event) : NULL;

	if (!head)
		return -ENOMEM;
	strbuf__add(out, head->buf, head->len);
	if (plan->syscall)
		put_syscall(out, plan, s);
	strbuf__puts(out, ",\"fields\":");
	field_plan__json(plan, s->raw, s->raw_sz, out);
	if (s->counters)
		counter_text__put_json(sink->cfg.counters, s->counters, out);
	return sink->cfg.callstacks ? put_callstack(j, s, out) : 0;
}

static unsigned int json_needs_of(const struct sink *sink, const struct sample *s)
{
	bool has_stack = !s->event->fmt || sink->cfg.callstacks;

	return sink->needs | (has_stack ? SAMPLE_NEEDS_NAMES : 0);
}

static int json_sample(struct sink *sink, const struct sample *s)
{
	struct strbuf *out = &sink->out->buf;
	struct json *j = sink->priv;

	put_time_cpu(sink, s->time_ns, s->cpu);
	task_text_cache__put(&j->tasks, s, out);
	if (s->event->fmt ? put_event(sink, s, out) : put_value(j, s, out))
		return -ENOMEM;
	if (!j->started)
		put_start(sink);
	strbuf__puts(out, "}\n");
	return out__commit(sink->out);
}

/* Puts {"time":…,"cpu":…,"counters":{…}}: a row has no event */
static int json_row(struct sink *sink, const struct counter_row *row)
{
	struct strbuf *out = &sink->out->buf;
	struct json *j = sink->priv;

	put_time_cpu(sink, row->time_ns, row->cpu);
	counter_text__put_json(sink->cfg.counters, row->counters, out);
	if (!j->started)
		put_start(sink);
	strbuf__puts(out, "}\n");
	return out__commit(sink->out);
}

/* Puts {"time":…,"cpu":…,"lost":N,"cause":"ring full"}: a loss has no fields. */
static int json_lost(struct sink *sink, const struct lost *l)
{
	struct strbuf *out = &sink->out->buf;
	struct json *j = sink->priv;

	put_time_cpu(sink, l->time_ns, l->cpu);
	strbuf__puts(out, ",\"lost\":");
	strbuf__put_u64(out, l->cnt);
	strbuf__puts(out, ",\"cause\":");
	strbuf__put_json(out, lost_cause__name(l->cause), strlen(lost_cause__name(l->cause)));
	if (l->event) {
		strbuf__puts(out, ",\"lost_event\":");
		strbuf__put_json(out, l->event->name, strlen(l->event->name));
	}
	if (!j->started)
		put_start(sink);
	strbuf__puts(out, "}\n");
	return out__commit(sink->out);
}

static void json_free(struct sink *sink)
{
	struct json *j = sink->priv;

	field_plans__free(&j->plans);
	plan_heads__free(&j->heads, NULL);
	task_text_cache__free(&j->tasks);
	callstack_printer__free(&j->callstacks);
}

/* Puts {"time":…,"dump":N,"why":"SIGUSR2"}: the records that follow belong to the dump. */
static int json_dump(struct sink *sink, const struct dump *d)
{
	struct strbuf *out = &sink->out->buf;
	struct json *j = sink->priv;

	put_time_cpu(sink, d->time_ns, UINT32_MAX);
	strbuf__puts(out, ",\"dump\":");
	strbuf__put_u64(out, d->nr);
	strbuf__puts(out, ",\"why\":");
	strbuf__put_json(out, d->why, strlen(d->why));
	if (!j->started)
		put_start(sink);
	strbuf__puts(out, "}\n");
	return out__commit(sink->out);
}

extern const struct sink_ops json_sink;
const struct sink_ops json_sink = {
	.name = "json",
	.suffix = ".json .jsonl",
	.priv_sz = sizeof(struct json),
	.begin = json_begin,
	.needs = SAMPLE_NEEDS_STACK,
	.needs_of = json_needs_of,
	.sample = json_sample,
	.lost = json_lost,
	.row = json_row,
	.dump = json_dump,
	.free = json_free,
};
