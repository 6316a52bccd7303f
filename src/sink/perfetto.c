// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * --format perfetto: the Trace Event Format (JSON), which ui.perfetto.dev, chrome://tracing and
 * speedscope open. Each CPU has a track that shows the running thread (if sched:sched_switch is
 * traced), each thread has a track of its events: system calls as slices if their end is known, all
 * other events as instants.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "event/event.h"
#include "sink/callstack.h"
#include "sink/clock.h"
#include "sink/cpu_tracks.h"
#include "sink/field_plan.h"
#include "sink/out.h"
#include "sink/perfetto_priv.h"
#include "sink/plan_heads.h"
#include "sink/sample_value.h"
#include "sink/sink.h"
#include "sink/trace_event.h"
#include "sym/named.h"
#include "util/array.h"
#include "util/u64map.h"

/* The viewers' clock: TIME_DELTA makes no sense there. */
static uint64_t ts_of(struct sink *sink, uint64_t time_ns)
{
	struct perfetto *p = sink->priv;
	struct sink_config cfg = sink->cfg;

	if (cfg.time == TIME_DELTA)
		cfg.time = TIME_REL;
	time_ns = clock__convert(&cfg, time_ns, &p->prev_ns);
	if (time_ns > p->last_ns)
		p->last_ns = time_ns;
	return time_ns;
}

/* Puts "read+0x12", innermost first */
static void put_function(struct strbuf *out, uint64_t addr, const struct sym_result *res,
			 unsigned int how)
{
	struct strbuf name = STRBUF_INIT;

	sym_result__put(res, &name);
	if (how & CALLSTACK_GUESSED)
		strbuf__puts(&name, CALLSTACK_MARK);
	if (!(how & CALLSTACK_FIRST))
		strbuf__putc(out, ',');
	strbuf__put_json(out, strbuf__cstr(&name), name.len);
	strbuf__free(&name);
}

static void look_at_events(struct perfetto *p, const struct event_list *events)
{
	size_t i;

	for (i = 0; i < events->cnt; i++) {
		const char *name = events->events[i]->name;

		p->has_switch |= strcmp(name, "sched:sched_switch") == 0;
		p->has_named_syscalls |= strncmp(name, "syscalls:", 9) == 0;
	}
}

static int perfetto_begin(struct sink *sink)
{
	const struct perfetto_config *cfg = sink__extra(sink, PERFETTO_EXTRA);
	struct strbuf *out = &sink->out->buf;
	struct perfetto *p = sink->priv;

	p->writer.out = out;
	p->cpus.writer = &p->writer;
	if (cfg)
		p->cfg = *cfg;
	p->cpus.tasks_filtered = p->cfg.tasks_filtered;
	p->cpus.start_ns = ts_of(sink, sink->cfg.start_mono_ns);
	look_at_events(p, sink->cfg.events);
	callstack_printer__init(&p->callstacks, put_function);
	p->has_callstacks = sink->cfg.callstacks;
	strbuf__puts(out, "{\"displayTimeUnit\":\"ns\",\"otherData\":{\"start_mono_ns\":\"");
	strbuf__put_u64(out, sink->cfg.start_mono_ns);
	if (!sink->cfg.is_recorded) {
		strbuf__puts(out, "\",\"start_real_ns\":\"");
		strbuf__put_u64(out, sink->cfg.start_mono_ns + (uint64_t)sink->cfg.mono_to_real_ns);
	}
	strbuf__puts(out, "\",\"start_ts_ns\":\"");
	strbuf__put_u64(out, p->cpus.start_ns);
	strbuf__puts(out, "\"},\"traceEvents\":[\n");
	trace_event__meta_name(&p->writer, "process_name", TRACE_EVENT_CPUS_PID, 0, "CPUs");
	trace_event__meta_index(&p->writer, "process_sort_index", TRACE_EVENT_CPUS_PID, 0, -1);
	return out__commit(sink->out);
}

/* Returns the thread's state, valid until the next call. NULL: no memory. */
static struct perfetto_thread *thread_of(struct perfetto *p, int32_t tid)
{
	uint32_t *slot = u64map__slot(&p->by_tid, (uint64_t)tid);

	if (!slot)
		return NULL;
	if (*slot != U64MAP_NONE)
		return &p->threads[*slot];
	if (array__reserve((void **)&p->threads, &p->thread_cap, p->thread_cnt + 1,
			   sizeof(*p->threads)))
		return NULL;
	*slot = p->thread_cnt++;
	p->threads[*slot] = (struct perfetto_thread){ .tid = tid };
	return &p->threads[*slot];
}

/* Tracks are renamed with their threads. */
static int name_thread(struct perfetto *p, struct perfetto_thread *th, const struct sample *s)
{
	uint32_t *process;

	if (th->pid == s->pid && strncmp(th->comm, s->comm, sizeof(th->comm) - 1) == 0)
		return 0;
	th->pid = s->pid;
	memset(th->comm, 0, sizeof(th->comm));
	memcpy(th->comm, s->comm, strnlen(s->comm, sizeof(th->comm) - 1));
	trace_event__meta_name(&p->writer, "thread_name", s->pid, s->tid, s->comm);
	process = u64map__slot(&p->processes, (uint64_t)s->pid);
	if (!process)
		return -ENOMEM;
	if (*process == U64MAP_NONE || s->pid == s->tid)
		trace_event__meta_name(&p->writer, "process_name", s->pid, s->pid, s->comm);
	if (*process != 1)
		*process = s->pid == s->tid;
	return 0;
}

/* The plan of an event with fields, and its notes. NULL: no memory. */
static const struct field_plan *plan_of(struct sink *sink, const struct event *ev)
{
	struct perfetto *p = sink->priv;
	const struct field_plan *plan = field_plans__get(&p->plans, ev->fmt);
	struct plan_head *head = plan ? plan_heads__get(&p->heads, plan) : NULL;
	struct trace_event_writer w = { head ? &head->text : NULL, false };

	if (!head || head->event)
		return head ? plan : NULL;
	head->event = ev;
	trace_event__name(&w, ev->fmt->name, ev->fmt->sys);
	strbuf__puts(&head->text, ",\"s\":\"t\",\"args\":{\"cpu\":");
	if (plan->syscall == SYSCALL_ENTER)
		head->priv = perfetto_calls__end_of(sink, ev);
	return plan;
}

/* Puts ,"stack":[…] into the args; nothing if no stack was taken. */
static void put_stack(struct perfetto *p, const struct sample *s, struct strbuf *out)
{
	if (!s->names)
		return;
	strbuf__puts(out, ",\"stack\":[");
	callstack_printer__put(&p->callstacks, s->names, out);
	strbuf__putc(out, ']');
}

void perfetto__put_callstack(struct perfetto *p, const struct sample *s, struct strbuf *out)
{
	if (p->has_callstacks)
		put_stack(p, s, out);
}

static bool has_cpu_track(const struct sample *s)
{
	return s->cpu < CPU_TRACKS_MAX;
}

/* Begins an instant on the thread's track; on the CPU's track, or that of all, if it is idle. */
static void begin_instant(struct perfetto *p, const struct sample *s, uint64_t ts_ns)
{
	if (s->tid)
		trace_event__begin(&p->writer, 'i', ts_ns, s->pid, s->tid);
	else
		trace_event__begin(&p->writer, 'i', ts_ns, TRACE_EVENT_CPUS_PID,
				   has_cpu_track(s) ? TRACE_EVENT_CPU_TID(s->cpu) : 0);
}

/* Puts the instant of an event with fields; a duration is a slice up to there. */
static void put_instant(struct perfetto *p, const struct field_plan *plan, const struct sample *s,
			uint64_t ts_ns)
{
	struct strbuf *out = p->writer.out;

	if (s->kind == SAMPLE_SPAN && s->tid) {
		uint64_t ns = s->period < ts_ns ? s->period : ts_ns;

		trace_event__begin(&p->writer, 'X', ts_ns - ns, s->pid, s->tid);
		trace_event__dur(&p->writer, ns);
	} else {
		begin_instant(p, s, ts_ns);
	}
	strbuf__add(out, perfetto__head(p, plan)->text.buf, perfetto__head(p, plan)->text.len);
	perfetto__put_cpu(out, s->cpu);
	strbuf__puts(out, ",\"fields\":");
	field_plan__json(plan, s->raw, s->raw_sz, out);
	perfetto__put_callstack(p, s, out);
	strbuf__putc(out, '}');
	trace_event__end(&p->writer);
}

/* Like put_instant(), for a recorded event without fields. */
static void put_value(struct perfetto *p, const struct sample *s, uint64_t ts_ns)
{
	struct strbuf *out = p->writer.out;

	begin_instant(p, s, ts_ns);
	trace_event__name(&p->writer, s->event->name, "sample");
	strbuf__puts(out, ",\"s\":\"t\",\"args\":{\"cpu\":");
	perfetto__put_cpu(out, s->cpu);
	sample_value__put_json(s, out);
	put_stack(p, s, out);
	strbuf__putc(out, '}');
	trace_event__end(&p->writer);
}

/* A switch is a slice on its CPU's track, without a stack. */
static bool is_switch(const struct perfetto *p, const struct sample *s)
{
	return p->has_switch && has_cpu_track(s) &&
	       strcmp(s->event->name, "sched:sched_switch") == 0;
}

static unsigned int perfetto_needs_of(const struct sink *sink, const struct sample *s)
{
	const struct perfetto *p = sink->priv;
	bool has_stack = !s->event->fmt || (p->has_callstacks && !is_switch(p, s));

	if (perfetto_slices__is_branch(s))
		return SAMPLE_KEEP | SAMPLE_NEEDS_IP;
	return sink->needs | (has_stack ? SAMPLE_NEEDS_NAMES : 0);
}

static int perfetto_sample(struct sink *sink, const struct sample *s)
{
	struct perfetto *p = sink->priv;
	const struct field_plan *plan = s->event->fmt ? plan_of(sink, s->event) : NULL;
	uint64_t ts_ns = ts_of(sink, s->time_ns);
	struct perfetto_thread *th = s->tid ? thread_of(p, s->tid) : NULL;
	int err = 0;

	if ((s->event->fmt && !plan) || (s->tid && !th))
		return -ENOMEM;
	/* The thread id is reused while the last call of its former owner is open. */
	if (th && th->in_syscall && th->pid != s->pid)
		perfetto_calls__abandon(p, th);
	if (th)
		err = name_thread(p, th, s);
	if (!err && has_cpu_track(s) && (p->has_switch || !s->tid))
		err = p->has_switch ? cpu_tracks__record(&p->cpus, s, ts_ns)
				    : cpu_tracks__lost(&p->cpus, s->cpu, ts_ns);
	if (err)
		return err;
	if (th && perfetto_slices__is_branch(s))
		perfetto_slices__put(p, th, s, ts_ns);
	else if (!plan)
		put_value(p, s, ts_ns);
	else if (is_switch(p, s))
		cpu_tracks__switch(&p->cpus, s, ts_ns);
	else if (!th || !plan->syscall || !perfetto_calls__put(p, th, plan, s, ts_ns))
		put_instant(p, plan, s, ts_ns);
	return out__commit(sink->out);
}

/* Ends the calls that a gap of a trace leaves open: of its thread, or of any. */
static void end_lost_slices(struct perfetto *p, const struct lost *l, uint64_t ts_ns)
{
	struct perfetto_thread *th = l->tid ? thread_of(p, l->tid) : NULL;
	uint32_t i;

	if (th)
		perfetto_slices__end(p, th, ts_ns);
	for (i = 0; !l->tid && lost_cause__is_trace(l->cause) && i < p->thread_cnt; i++)
		perfetto_slices__end(p, &p->threads[i], ts_ns);
}

/* Puts a marker on the CPU's track, or through all tracks if the CPU is unknown. */
static int perfetto_lost(struct sink *sink, const struct lost *l)
{
	struct perfetto *p = sink->priv;
	uint64_t ts_ns = ts_of(sink, l->time_ns);
	bool has_cpu = l->cpu != UINT32_MAX;
	struct strbuf name = STRBUF_INIT, *out = p->writer.out;
	int err = has_cpu ? cpu_tracks__lost(&p->cpus, l->cpu, ts_ns) : 0;

	if (err)
		return err;
	end_lost_slices(p, l, ts_ns);
	strbuf__puts(&name, "lost ");
	/* The number of bytes that were lost while recording may be unknown. */
	if (l->cnt || l->cause != LOST_TRACE_ABSENT) {
		strbuf__put_u64(&name, l->cnt);
		strbuf__putc(&name, ' ');
	}
	if (lost_cause__is_trace(l->cause))
		strbuf__puts(&name, "bytes of trace");
	else
		strbuf__puts(&name, l->cnt == 1 ? "record" : "records");
	trace_event__begin(&p->writer, 'i', ts_ns, TRACE_EVENT_CPUS_PID,
			   has_cpu ? TRACE_EVENT_CPU_TID(l->cpu) : 0);
	trace_event__name(&p->writer, strbuf__cstr(&name), "lost");
	strbuf__puts(out, has_cpu ? ",\"s\":\"t\"" : ",\"s\":\"g\"");
	strbuf__puts(out, ",\"args\":{\"lost\":");
	strbuf__put_u64(out, l->cnt);
	strbuf__puts(out, ",\"cause\":\"");
	strbuf__puts(out, lost_cause__name(l->cause));
	if (l->event) {
		strbuf__puts(out, "\",\"event\":\"");
		strbuf__puts(out, l->event->name);
	}
	strbuf__puts(out, "\"}");
	trace_event__end(&p->writer);
	strbuf__free(&name);
	return out__commit(sink->out);
}

/* Ends all slices, since the next records were recorded later. */
static void end_slices(struct sink *sink, uint64_t ts_ns)
{
	struct perfetto *p = sink->priv;
	uint32_t i;

	cpu_tracks__end(&p->cpus, ts_ns);
	for (i = 0; i < p->thread_cnt; i++) {
		if (p->threads[i].in_syscall)
			perfetto_calls__end_open(sink, &p->threads[i], ts_ns);
		perfetto_slices__end(p, &p->threads[i], ts_ns);
	}
}

/*
 * Puts a marker through all tracks. Records before a dump were overwritten, so the running threads
 * are unknown.
 */
static int perfetto_dump(struct sink *sink, const struct dump *d)
{
	struct perfetto *p = sink->priv;
	struct strbuf name = STRBUF_INIT;

	end_slices(sink, p->last_ns);
	p->cpus.has_gaps = true;

	strbuf__printf(&name, "dump %u: %s", d->nr, d->why);
	trace_event__begin(&p->writer, 'i', ts_of(sink, d->time_ns), TRACE_EVENT_CPUS_PID, 0);
	trace_event__name(&p->writer, strbuf__cstr(&name), "dump");
	strbuf__puts(p->writer.out, ",\"s\":\"g\"");
	trace_event__end(&p->writer);
	strbuf__free(&name);
	return out__commit(sink->out);
}

static int perfetto_end(struct sink *sink)
{
	struct perfetto *p = sink->priv;
	uint64_t end_ns = sink->cfg.end_mono_ns ? ts_of(sink, sink->cfg.end_mono_ns) : 0;

	if (end_ns < p->last_ns)
		end_ns = p->last_ns;
	end_slices(sink, end_ns);
	strbuf__puts(p->writer.out, "\n]}\n");
	return out__commit(sink->out);
}

static void perfetto_free(struct sink *sink)
{
	struct perfetto *p = sink->priv;
	uint32_t i;

	field_plans__free(&p->plans);
	plan_heads__free(&p->heads, NULL);
	cpu_tracks__free(&p->cpus);
	callstack_printer__free(&p->callstacks);
	u64map__free(&p->by_tid);
	u64map__free(&p->processes);
	for (i = 0; i < p->thread_cnt; i++)
		strbuf__free(&p->threads[i].args);
	free(p->threads);
}

extern const struct sink_ops perfetto_sink;
const struct sink_ops perfetto_sink = {
	.name = "perfetto",
	.all_switches = true,
	.begins_slices = true,
	.suffix = ".perfetto.json .pftrace",
	.priv_sz = sizeof(struct perfetto),
	.begin = perfetto_begin,
	.needs = SAMPLE_NEEDS_STACK,
	.needs_of = perfetto_needs_of,
	.sample = perfetto_sample,
	.lost = perfetto_lost,
	.dump = perfetto_dump,
	.end = perfetto_end,
	.free = perfetto_free,
};
