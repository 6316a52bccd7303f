// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "decode/offcpu_record.h"

#include <linux/types.h>

#include "bpf/wire.h"
#include "decode/stacks.h"

/* The kernel's task states (include/linux/sched.h), unchanged since 4.14. */
#define STATE_INTERRUPTIBLE 0x1
#define STATE_UNINTERRUPTIBLE 0x2
#define STATE_STOPPED 0x4
#define STATE_TRACED 0x8
#define STATE_PARKED 0x40
#define STATE_NOLOAD 0x400

bool offcpu_record__read(const struct wire_rec *rec, struct offcpu *off)
{
	const struct wire_offcpu *r = (const void *)rec;

	if (rec->kind != WIRE_OFF || rec->sz != sizeof(*r))
		return false;
	*off = (struct offcpu){
		.time_ns = rec->time_ns, .end_ns = r->back_ns, .tid = r->tid, .away = &r->away
	};
	return true;
}

static const char *state_name(uint32_t state)
{
	if (state & STATE_TRACED)
		return "[traced]";
	if (state & STATE_STOPPED)
		return "[stopped]";
	if (state & STATE_PARKED)
		return "[parked]";
	if (state & STATE_UNINTERRUPTIBLE)
		return state & STATE_NOLOAD ? "[idle]" : "[uninterruptible]";
	if (state & STATE_INTERRUPTIBLE)
		return "[sleeping]";
	return "[blocked]";
}

static void set_chain(const struct stacks *stacks, struct sample *s, uint64_t id)
{
	const struct callchain *chain = stacks__get(stacks, id);

	s->stack_id = id;
	s->stack_lost = !chain && id != WIRE_STACK_NONE;
	if (chain)
		s->chain = *chain;
}

bool offcpu__sample(const struct offcpu *off, enum offcpu_state part, const struct stacks *stacks,
		    struct sample *s)
{
	const struct wire_offcpu_entry *a = off->away;
	uint64_t woken_ns = a->woken_ns ? a->woken_ns : a->state ? off->end_ns : a->start_ns;

	/* The thread was woken while its stack was being captured. */
	if (woken_ns < a->start_ns)
		woken_ns = a->start_ns;
	if (woken_ns > off->end_ns)
		woken_ns = off->end_ns;
	if (part == OFF_ASLEEP ? !a->state : woken_ns == off->end_ns)
		return false;
	*s = (struct sample){
		.time_ns = off->time_ns,
		.period = part == OFF_ASLEEP ? woken_ns - a->start_ns : off->end_ns - woken_ns,
		.kind = SAMPLE_OFF_CPU,
		.pid = (int32_t)a->tgid,
		.tid = (int32_t)off->tid,
		.state = part == OFF_ASLEEP ? state_name(a->state)
			 : a->state         ? "[runnable]"
					    : "[preempted]",
	};
	set_chain(stacks, s, a->stack);
	if (part == OFF_ASLEEP && a->waker_stack) {
		s->waker = stacks__get(stacks, a->waker_stack);
		s->waker_pid = (int32_t)a->waker_tgid;
	}
	return true;
}
