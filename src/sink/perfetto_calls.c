// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* System calls in --format perfetto: slices from a call's begin to its end. */
#include <string.h>

#include "event/event.h"
#include "sink/perfetto_priv.h"
#include "sink/sink.h"

static bool is_end(const struct tp_format *end, const struct tp_format *begin)
{
	return end && strcmp(end->sys, begin->sys) == 0 && strncmp(end->name, "sys_exit", 8) == 0 &&
	       strcmp(end->name + 8, begin->name + 9) == 0;
}

struct event *perfetto_calls__end_of(const struct sink *sink, const struct event *begin)
{
	const struct event_list *events = sink->cfg.events;
	struct event *end = NULL;
	size_t i;

	for (i = 0; i < events->cnt && !end; i++)
		if (is_end(events->events[i]->fmt, begin->fmt))
			end = events->events[i];
	if (!end || ((const struct perfetto *)sink->priv)->cfg.thinned)
		return NULL;
	/* Filters must select either all calls of one event, or the same calls of both events. */
	if (end->filter && begin->filter && strcmp(end->filter, begin->filter) != 0)
		return NULL;
	return end;
}

/* Writes the slice of an open call; `plan` and s belong to the record of its end, or are NULL. */
static void end_syscall(struct perfetto *p, struct perfetto_thread *th, uint64_t ts_ns,
			const struct field_plan *plan, const struct sample *s)
{
	const char *error = s ? field_plan__syscall_error(plan, s->raw, s->raw_sz) : NULL;
	struct strbuf *out = p->writer.out;

	trace_event__begin(&p->writer, 'X', th->since_ns, th->pid, th->tid);
	trace_event__dur(&p->writer, ts_ns > th->since_ns ? ts_ns - th->since_ns : 0);
	trace_event__name(&p->writer, th->syscall, "syscall");
	strbuf__add(out, th->args.buf, th->args.len);
	if (s) {
		strbuf__puts(out, ",\"return\":");
		field_plan__json(plan, s->raw, s->raw_sz, out);
	}
	if (error) {
		strbuf__puts(out, ",\"error\":\"");
		strbuf__puts(out, error);
		strbuf__putc(out, '"');
	}
	strbuf__putc(out, '}');
	trace_event__end(&p->writer);
	th->in_syscall = false;
	if (ts_ns > th->last_ns)
		th->last_ns = ts_ns;
}

void perfetto_calls__abandon(struct perfetto *p, struct perfetto_thread *th)
{
	struct strbuf *out = p->writer.out;

	trace_event__begin(&p->writer, 'i', th->since_ns, th->pid, th->tid);
	trace_event__name(&p->writer, th->syscall, "syscall");
	strbuf__puts(out, ",\"s\":\"t\"");
	strbuf__add(out, th->args.buf, th->args.len);
	strbuf__putc(out, '}');
	trace_event__end(&p->writer);
	th->in_syscall = false;
}

/* Stores the facts about a call until it ends. */
static void begin_syscall(struct perfetto *p, struct perfetto_thread *th,
			  const struct field_plan *plan, const struct sample *s, uint64_t ts_ns)
{
	struct strbuf *args = &th->args;

	/* The end of the previous call was lost, or filtered out. */
	if (th->in_syscall)
		perfetto_calls__abandon(p, th);
	th->since_ns = ts_ns > th->last_ns ? ts_ns : th->last_ns;
	th->in_syscall = true;
	th->syscall = field_plan__syscall_name(plan, s);
	th->end = perfetto__head(p, plan)->priv;
	strbuf__reset(args);
	strbuf__puts(args, ",\"args\":{\"cpu\":");
	perfetto__put_cpu(args, s->cpu);
	strbuf__puts(args, ",\"fields\":");
	field_plan__json(plan, s->raw, s->raw_sz, args);
	perfetto__put_callstack(p, s, args);
}

bool perfetto_calls__put(struct perfetto *p, struct perfetto_thread *th,
			 const struct field_plan *plan, const struct sample *s, uint64_t ts_ns)
{
	const char *name = field_plan__syscall_name(plan, s);

	/* A call that is traced by both its own and the raw_syscalls event is shown once. */
	if (!name || (p->has_named_syscalls && strcmp(plan->fmt->sys, "raw_syscalls") == 0))
		return false;
	if (plan->syscall == SYSCALL_ENTER) {
		if (strcmp(name, "exit") == 0 || strcmp(name, "exit_group") == 0 ||
		    strcmp(name, "rt_sigreturn") == 0)
			return false;
		begin_syscall(p, th, plan, s, ts_ns);
		if (!th->end)
			perfetto_calls__abandon(p, th);
		return true;
	}
	if (!th->in_syscall || th->syscall != name)
		return false;
	end_syscall(p, th, ts_ns, plan, s);
	return true;
}

/* A call that has not ended continues; a call with a possibly lost end is ended. */
void perfetto_calls__end_open(struct sink *sink, struct perfetto_thread *th, uint64_t ts_ns)
{
	if (th->end->filter || ((const struct perfetto *)sink->priv)->cfg.cpus_filtered)
		perfetto_calls__abandon(sink->priv, th);
	else
		end_syscall(sink->priv, th, ts_ns, NULL, NULL);
}
