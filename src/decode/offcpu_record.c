// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "decode/offcpu_record.h"

#include <linux/types.h>

#include "bpf/why_wire.h"
#include "bpf/wire.h"
#include "decode/stacks.h"

bool offcpu_record__read(const struct wire_rec *rec, struct offcpu *off)
{
	const struct wire_offcpu *r = (const void *)rec;

	bool has_facts = rec->sz == sizeof(*r) + sizeof(struct wire_why);

	if (rec->kind != WIRE_OFF || (rec->sz != sizeof(*r) && !has_facts))
		return false;
	*off = (struct offcpu){
		.time_ns = rec->time_ns,
		.end_ns = r->back_ns,
		.tid = r->tid,
		.away = &r->away,
		.why = has_facts ? (const void *)(r + 1) : NULL,
	};
	return true;
}

/* Names of states; the second is for a thread that was in that state before the measurement. */
static const struct {
	uint32_t bits; /* all of these are set */
	const char *names[2];
} states[] = {
	{ WIRE_STATE_TRACED, { "[traced]", "[traced since before]" } },
	{ WIRE_STATE_STOPPED, { "[stopped]", "[stopped since before]" } },
	{ WIRE_STATE_PARKED, { "[parked]", "[parked since before]" } },
	{ WIRE_STATE_UNINTERRUPTIBLE | WIRE_STATE_NOLOAD, { "[idle]", "[idle since before]" } },
	{ WIRE_STATE_UNINTERRUPTIBLE, { "[uninterruptible]", "[uninterruptible since before]" } },
	{ WIRE_STATE_INTERRUPTIBLE, { "[sleeping]", "[sleeping since before]" } },
	{ 0, { "[blocked]", "[blocked since before]" } },
};

static const char *state_name(uint32_t state, bool since_before)
{
	size_t i = 0;

	while ((state & states[i].bits) != states[i].bits)
		i++;
	return states[i].names[since_before];
}

static void set_chain(const struct stacks *stacks, struct sample *s, uint64_t id)
{
	const struct callchain *chain = stacks__get(stacks, id);

	s->stack_id = id;
	s->stack_lost = !chain && id != WIRE_STACK_NONE;
	if (chain)
		s->chain = *chain;
}

uint64_t offcpu__woken_ns(const struct offcpu *off)
{
	const struct wire_offcpu_entry *a = off->away;
	uint64_t ns = a->woken_ns ? a->woken_ns : a->state ? off->end_ns : a->start_ns;

	/* The thread was woken while its stack was being captured. */
	return ns < a->start_ns ? a->start_ns : ns > off->end_ns ? off->end_ns : ns;
}

bool offcpu__sample(const struct offcpu *off, enum offcpu_state part, const struct stacks *stacks,
		    struct sample *s)
{
	const struct wire_offcpu_entry *a = off->away;
	uint64_t woken_ns = offcpu__woken_ns(off);

	if (part == OFF_ASLEEP ? !a->state : woken_ns == off->end_ns)
		return false;
	*s = (struct sample){
		.time_ns = off->time_ns,
		.period = part == OFF_ASLEEP ? woken_ns - a->start_ns : off->end_ns - woken_ns,
		.kind = SAMPLE_OFF_CPU,
		.pid = (int32_t)a->tgid,
		.tid = (int32_t)off->tid,
		.state = part == OFF_ASLEEP  ? state_name(a->state, off->since_before)
			 : a->state          ? "[runnable]"
			 : off->since_before ? "[preempted since before]"
					     : "[preempted]",
	};
	set_chain(stacks, s, a->stack);
	if (part == OFF_ASLEEP && a->waker_stack) {
		s->waker = stacks__get(stacks, a->waker_stack);
		s->waker_pid = (int32_t)a->waker_tgid;
	}
	return true;
}
