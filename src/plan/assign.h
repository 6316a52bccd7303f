/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Assigns events to counters, as the kernel does. */
#ifndef BPFPERF_PLAN_ASSIGN_H
#define BPFPERF_PLAN_ASSIGN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "plan/model.h"

#define ASSIGN_MAX 128

struct assign_event {
	uint64_t counters; /* counters that can count the event */
	bool overlap; /* RULE_OVERLAP: the state is saved for backtracking */
	bool pair; /* RULE_PAIR: the counter after its own must be free, too */
};

struct assign_how {
	enum model_policy policy;
	bool by_weight; /* from 2.6.34; before, in the order of creation */
	bool fixed_first; /* from 3.3; before, the lowest counter */
	bool backtrack; /* from 3.3: overlapping constraints, two saved states */
	unsigned int general_max; /* general counters that may be in use at once; 0: all */
	unsigned int total_max; /* counters of any kind; 0: all */
	/*
	 * From 4.1-rc7: against general_max count the general counters that were given, those taken
	 * back included.
	 */
	bool counts_tries;
};

/* The kernel's policy of this version for events of `model`, without limits on numbers yet. */
struct assign_how assign__how(const struct model *model, uint32_t kernel);

/*
 * Finds a counter for each of `cnt` (at most ASSIGN_MAX) events, all placed anew: 0 and counter[i],
 * or -EAGAIN and in *failed (may be NULL) the event without a counter; the other results are unset.
 *
 * POLICY_WEIGHT is the kernel's perf_assign_events(): lightest constraint first, equal ones in
 * their order; a fixed counter before a general one; after each overlapping event that was placed
 * the state is saved, at most twice; if an event finds no counter, the last saved state is restored
 * and its event moves to the next counter. It may miss an assignment that another order would find.
 */
int assign__place(const struct assign_how *how, const struct assign_event *events, size_t cnt,
		  int8_t *counter, size_t *failed);

/*
 * The kernel's fast path (x86_schedule_events(), from 2.6.34): true and counter[i] = last[i] if
 * each event was on a counter (last[i] >= 0), may still use it, and no two want the same one. Then
 * no event is placed anew, and no limit on numbers is looked at.
 */
bool assign__keep(const struct assign_event *events, size_t cnt, const int8_t *last,
		  int8_t *counter);

#endif
