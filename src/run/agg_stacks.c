// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "run/agg_stacks.h"

#include <errno.h>
#include <stdlib.h>

#include <linux/types.h>

#include "bpf/wire.h"
#include "session/trace_session.h"
#include "sym/sym.h"
#include "util/array.h"

/* The reserved ids of bpf/wire.h are below the indexes. */
#define FIRST_INDEX 2

struct pending_stack {
	uint64_t time_ns;
	uint32_t tgid;
	uint32_t idx; /* index of its chain */
};

void agg_stacks__init(struct agg_stacks *as, const struct machine *machine)
{
	*as = (struct agg_stacks){ .same = U64MAP_INIT };
	callstacks__init(&as->callstacks, machine, TRACE_STACK_DEPTH);
}

void agg_stacks__free(struct agg_stacks *as)
{
	callstacks__free(&as->callstacks);
	u64map__free(&as->same);
	free(as->pending);
	*as = (struct agg_stacks){ .same = U64MAP_INIT };
}

int agg_stacks__define(void *ctx, const struct wire_rec *rec)
{
	struct agg_stacks *as = ctx;
	size_t known = as->callstacks.stacks.cnt;
	struct pending_stack *p;
	int err = callstacks__define(&as->callstacks, rec);

	if (err || as->callstacks.stacks.cnt == known)
		return err;
	if (array__reserve((void **)&as->pending, &as->pending_cap, as->pending_cnt + 1,
			   sizeof(*as->pending)))
		return -ENOMEM;
	p = &as->pending[as->pending_cnt++];
	*p = (struct pending_stack){ rec->time_ns, rec->tgid, (uint32_t)known };
	return 0;
}

/* Converts the addresses to places in place, in the chain owned by the stacks. */
static void place(struct agg_stacks *as, const struct pending_stack *p)
{
	const struct callchain *chain = &as->callstacks.stacks.chains[p->idx];
	uint64_t *kern = (uint64_t *)chain->kern, *user = (uint64_t *)chain->user;
	unsigned int i;

	for (i = 0; i < chain->kern_cnt; i++)
		kern[i] = sym__kernel_place(as->callstacks.sym, kern[i]);
	for (i = 0; i < chain->user_cnt; i++)
		user[i] =
			sym__place(as->callstacks.sym, (int32_t)p->tgid, callchain__user(chain, i));
}

static void place_until(struct agg_stacks *as, uint64_t time_ns)
{
	size_t i, left = 0;

	for (i = 0; i < as->pending_cnt; i++) {
		if (as->pending[i].time_ns <= time_ns)
			place(as, &as->pending[i]);
		else
			as->pending[left++] = as->pending[i];
	}
	as->pending_cnt = left;
}

/* Runs before the machine applies the event: the process still has its old mappings. */
static int on_event(void *ctx, const struct proc_event *ev, const struct record *rec)
{
	place_until(ctx, rec->time_ns);
	return 0;
}

void agg_stacks__subscribe(struct agg_stacks *as, struct machine *machine)
{
	as->subscriber = (struct machine_subscriber){ .fn = on_event, .ctx = as };
	machine__subscribe(machine, &as->subscriber);
}

void agg_stacks__finish(struct agg_stacks *as)
{
	place_until(as, UINT64_MAX);
}

/* Stacks are compared by content, like in the programs (bpf/callstack.bpf.h). */
static uint64_t hash(const struct callchain *chain)
{
	uint64_t h =
		(uint64_t)chain->kern_cnt << 32 | (uint64_t)chain->user_cnt << 1 | chain->truncated;
	unsigned int i;

	for (i = 0; i < chain->kern_cnt; i++)
		h = u64map__mix(h ^ chain->kern[i]);
	for (i = 0; i < chain->user_cnt; i++)
		h = u64map__mix(h ^ chain->user[i]);
	return h;
}

uint64_t agg_stacks__same(struct agg_stacks *as, uint64_t id, uint64_t cnt)
{
	const struct callchain *chain = stacks__get(&as->callstacks.stacks, id);
	uint32_t *slot;

	if (!chain)
		return id == WIRE_STACK_NONE ? WIRE_STACK_NONE : WIRE_STACK_LOST;
	as->callstacks.truncated += chain->truncated ? cnt : 0;
	slot = u64map__slot(&as->same, hash(chain));
	if (!slot)
		return WIRE_STACK_LOST;
	if (*slot == U64MAP_NONE)
		*slot = (uint32_t)(chain - as->callstacks.stacks.chains);
	return *slot + FIRST_INDEX;
}

const struct callchain *agg_stacks__chain(const struct agg_stacks *as, uint64_t same)
{
	return same < FIRST_INDEX ? NULL : &as->callstacks.stacks.chains[same - FIRST_INDEX];
}
