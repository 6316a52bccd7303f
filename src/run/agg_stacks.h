/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Stacks in the key of trace --by: the definition of a stack, not a record, has the process of its
 * addresses. They become places (sym/sym.h) as soon as the process events up to that time are
 * known, while the mappings of that time are still there.
 */
#ifndef BPFPERF_RUN_AGG_STACKS_H
#define BPFPERF_RUN_AGG_STACKS_H

#include "machine/machine.h"
#include "run/callstacks.h"

struct pending_stack;

struct agg_stacks {
	struct callstacks callstacks; /* chains consist of places, unless they are pending */
	struct pending_stack *pending;
	size_t pending_cnt, pending_cap;
	struct machine_subscriber subscriber;
	struct u64map same; /* hash of places → index of the first equal chain */
};

void agg_stacks__init(struct agg_stacks *as, const struct machine *machine);
void agg_stacks__free(struct agg_stacks *as);
/* For live_config.define; ctx is a struct agg_stacks. 0 or -ENOMEM. */
int agg_stacks__define(void *ctx, const struct wire_rec *rec);
/*
 * Subscribes to the machine's process events, which place the stacks recorded before them. as must
 * not move.
 */
void agg_stacks__subscribe(struct agg_stacks *as, struct machine *machine);
/* Places the remaining stacks; called after the last record. */
void agg_stacks__finish(struct agg_stacks *as);
/*
 * The common id of all stacks of one process or another that have the same functions and offsets;
 * cnt records had the stack. WIRE_STACK_LOST: the stack is not known.
 */
uint64_t agg_stacks__same(struct agg_stacks *as, uint64_t id, uint64_t cnt);
/*
 * Returns the chain of places of an id from agg_stacks__same(); NULL: WIRE_STACK_NONE or _LOST.
 * Valid until free.
 */
const struct callchain *agg_stacks__chain(const struct agg_stacks *as, uint64_t same);

#endif
