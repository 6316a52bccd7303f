// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "run/off_cpu.h"

#include <errno.h>
#include <stdio.h>

#include <linux/types.h>

#include "bpf/wire.h"
#include "run/code_maps.h"
#include "run/losses.h"
#include "run/off_cpu_live.h"
#include "machine/machine.h"
#include "machine/tasks.h"
#include "event/event.h"
#include "session/stack_session.h"
#include "sink/sink.h"
#include "util/log.h"
#include "util/mono.h"

/* In each round of the loop, which is urgent. */
#define AHEAD_NS 1000000ull

int off_cpu__init(struct off_cpu *o, const struct machine *machine, uint32_t max_depth)
{
	o->tasks = machine->tasks;
	callstacks__init(&o->callstacks, machine, max_depth);
	off_before__init(&o->before, &o->callstacks);
	o->events[OFF_ASLEEP] = event__new(EVENT_TOOL, "asleep");
	o->events[OFF_RUNNABLE] = event__new(EVENT_TOOL, "runnable");
	if (o->events[OFF_ASLEEP] && o->events[OFF_RUNNABLE])
		return 0;
	log_error("out of memory");
	return -ENOMEM;
}

void off_cpu__free(struct off_cpu *o)
{
	off_before__free(&o->before);
	callstacks__free(&o->callstacks);
	event__free(o->events[OFF_ASLEEP]);
	event__free(o->events[OFF_RUNNABLE]);
}

int off_cpu__begin(struct off_cpu *o, struct stack_session *session, uint64_t start_ns)
{
	int err = stack_session__before(session, start_ns, off_before__add, &o->before);

	if (err == -ENOMEM)
		log_error("out of memory");
	return err;
}

void off_cpu__go_ahead(struct off_cpu *o)
{
	off_before__go_ahead(&o->before, mono_ns() + AHEAD_NS);
}

int off_cpu__each(struct off_cpu *o, struct offcpu *off, uint32_t cpu,
		  int (*each)(void *ctx, const struct sample *s), void *ctx)
{
	char comm[64], waker[64];
	struct sample s;
	int part, err = 0;

	off->since_before = off_before__define(&o->before, off->away->stack);
	snprintf(comm, sizeof(comm), "%s", tasks__comm(o->tasks, (int32_t)off->tid));
	for (part = 0; part < OFFCPU_STATES && !err; part++) {
		if (!offcpu__sample(off, (enum offcpu_state)part, &o->callstacks.stacks, &s))
			continue;
		s.comm = comm;
		s.cpu = cpu;
		s.event = o->events[part];
		if (s.waker) {
			snprintf(waker, sizeof(waker), "%s",
				 tasks__comm(o->tasks, (int32_t)off->away->waker_tid));
			s.waker_comm = waker;
		}
		err = each(ctx, &s);
	}
	return err;
}

bool off_cpu__wants(const struct off_cpu *o, uint64_t ns)
{
	return ns >= o->min_ns && (!o->max_ns || ns <= o->max_ns);
}

static int to_sink(void *ctx, const struct sample *s)
{
	struct off_cpu *o = ctx;
	int err = code_maps__sample(o->code_maps, o->sink, o->callstacks.sym, s);

	o->lost_stacks += s->stack_lost;
	o->losses->shown += !err;
	return err;
}

int off_cpu__record(struct off_cpu *o, const struct wire_rec *rec, uint32_t cpu)
{
	struct offcpu off;

	if (!offcpu_record__read(rec, &off))
		return 0;
	if (o->live)
		off_cpu_live__ended(o->live, off.tid, off.away->start_ns);
	return off_cpu__each(o, &off, cpu, to_sink, o);
}

static int put_away(void *ctx, uint32_t tid, const struct wire_offcpu_entry *away)
{
	struct off_cpu *o = ctx;
	struct offcpu off = {
		.time_ns = o->losses->end_ns, .end_ns = o->losses->end_ns, .tid = tid, .away = away
	};

	if (off.end_ns <= away->start_ns || !off_cpu__wants(o, off.end_ns - away->start_ns))
		return 0;
	o->away_cnt++;
	o->throughout_cnt += off_before__define(&o->before, away->stack);
	return off_cpu__each(o, &off, away->cpu, to_sink, o);
}

int off_cpu__finish(struct off_cpu *o, const struct stack_session *session)
{
	return stack_session__away(session, put_away, o);
}

void off_cpu__summary(const struct off_cpu *o, const struct stack_session *session)
{
	uint64_t refused = stack_session__away_refused(session);

	log_info("%llu threads were off the CPU at the end, %llu of them all the time, %zu "
		 "different stacks",
		 (unsigned long long)o->away_cnt, (unsigned long long)o->throughout_cnt,
		 o->callstacks.stacks.cnt);
	if (refused)
		log_warn(
			"%llu times off the CPU are missing: more threads were off the CPU at once than "
			"there is room for; select fewer (-p, --comm)",
			(unsigned long long)refused);
	if (o->lost_stacks)
		log_warn(
			"%llu times off the CPU have no stack: their ring was full, or there were more "
			"than %d different ones; select fewer threads, or give a larger -m",
			(unsigned long long)o->lost_stacks, WIRE_STACKS_MAX);
}
