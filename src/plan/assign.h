/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Events onto counters, as the kernel places them. */
#ifndef BPFPERF_PLAN_ASSIGN_H
#define BPFPERF_PLAN_ASSIGN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "plan/model.h"

#define ASSIGN_MAX 128

struct assign_event {
	uint64_t counters; /* those it may be on */
	bool overlap; /* RULE_OVERLAP: the place is remembered to come back to */
};

struct assign_how {
	enum model_policy policy;
	bool by_weight; /* from 2.6.34; before, in the order of creation */
	bool fixed_first; /* from 3.3; before, the lowest counter */
	bool backtrack; /* from 3.3: overlapping constraints, two saved states */
	unsigned int general_max; /* general counters that may be in use at once; 0: all */
	unsigned int total_max; /* counters of any kind; 0: all */
};

/* How a kernel of this version places events of `model`: no limits on numbers yet. */
struct assign_how assign__how(const struct model *model, uint32_t kernel);

/*
 * A counter for each of `cnt` (at most ASSIGN_MAX) events, all placed anew: 0 and counter[i], or
 * -EAGAIN and in *failed (may be NULL) the event that found none, the others unset.
 *
 * POLICY_WEIGHT is the kernel's perf_assign_events(): lightest constraint first, equals in their
 * order; a fixed counter before a general one; behind each overlapping event that was placed the
 * state is saved, twice at most, and where an event finds no counter the last saved state comes
 * back, and its event goes to the next counter. It may miss what another order would find.
 */
int assign__place(const struct assign_how *how, const struct assign_event *events, size_t cnt,
		  int8_t *counter, size_t *failed);

#endif
