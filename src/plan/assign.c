// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "plan/assign.h"

#include <errno.h>
#include <string.h>

/* The kernel's SCHED_STATES_MAX. */
#define STATES_MAX 2

struct state {
	uint64_t used;
	size_t at; /* index into the order of placement */
	int counter; /* counter of the event at `at`; the search for it continues here */
	unsigned int general_cnt, total_cnt;
	int8_t counters[ASSIGN_MAX];
};

struct assigner {
	const struct assign_how *how;
	const struct assign_event *events;
	size_t cnt;
	uint8_t order[ASSIGN_MAX];
	struct state now;
	struct state saved[STATES_MAX];
	size_t saved_cnt;
};

struct assign_how assign__how(const struct model *model, uint32_t kernel)
{
	return (struct assign_how){
		.policy = model->policy,
		.by_weight = kernel >= KERNEL_RC(2, 6, 34),
		.fixed_first = model->policy != POLICY_WEIGHT || kernel >= KERNEL_RC(3, 3, 1),
		.backtrack = kernel >= KERNEL_RC(3, 3, 1),
		.counts_tries = kernel >= KERNEL_RC(4, 1, 7),
	};
}

/* Lightest first; with equal weights, in the order of the events. */
static void order_events(struct assigner *as)
{
	size_t i, at = 0;
	int weight;

	for (i = 0; i < as->cnt; i++)
		as->order[i] = (uint8_t)i;
	if (!as->how->by_weight)
		return;
	for (weight = 0; weight <= 64; weight++)
		for (i = 0; i < as->cnt; i++)
			if (__builtin_popcountll(as->events[i].counters) == weight)
				as->order[at++] = (uint8_t)i;
}

/* The counter itself, and the one after it for an event that takes both. */
static uint64_t taken_by(const struct assign_event *ev, int counter)
{
	return COUNTER_BIT(counter) * (ev->pair ? 3 : 1);
}

static bool assign_counter(struct assigner *as, int counter)
{
	const struct assign_event *ev = &as->events[as->order[as->now.at]];
	bool is_general = counter < COUNTER_FIXED;

	if (as->how->total_max && as->now.total_cnt >= as->how->total_max)
		return false;
	if (is_general && as->how->general_max && as->now.general_cnt >= as->how->general_max)
		return false;
	as->now.used |= taken_by(ev, counter);
	as->now.total_cnt++;
	as->now.general_cnt += is_general;
	as->now.counter = counter;
	as->now.counters[as->order[as->now.at]] = (int8_t)counter;
	return true;
}

/* Places the event at now.at, trying general counters from now.counter on. */
static bool find_counter(struct assigner *as)
{
	const struct assign_event *ev = &as->events[as->order[as->now.at]];
	uint64_t free = ev->counters & ~as->now.used;
	uint64_t fixed = free & ~COUNTERS_GENERAL, general = free & COUNTERS_GENERAL;

	general &= ~0ull << as->now.counter;
	if (ev->pair)
		general &= ~(as->now.used >> 1);
	if (as->how->fixed_first && fixed)
		general = 0;
	if (general)
		return assign_counter(as, __builtin_ctzll(general));
	return fixed && assign_counter(as, __builtin_ctzll(fixed));
}

static void save(struct assigner *as)
{
	if (as->how->backtrack && as->saved_cnt < STATES_MAX)
		as->saved[as->saved_cnt++] = as->now;
}

/* Returns to the last saved state; its event tries the counters after the one that failed. */
static bool restore(struct assigner *as)
{
	int counter;

	if (!as->saved_cnt)
		return false;
	as->now = as->saved[--as->saved_cnt];
	counter = as->now.counter;
	/* The kernel frees only the first of a pair. */
	as->now.used &= ~COUNTER_BIT(counter);
	as->now.total_cnt--;
	as->now.general_cnt -= counter < COUNTER_FIXED && !as->how->counts_tries;
	as->now.counter = counter + 1;
	return counter + 1 < COUNTER_FIXED;
}

static int place_by_weight(struct assigner *as, size_t *failed)
{
	order_events(as);
	while (as->now.at < as->cnt) {
		size_t at = as->now.at;

		while (!find_counter(as)) {
			if (restore(as))
				continue;
			*failed = as->order[at];
			return -EAGAIN;
		}
		if (as->events[as->order[as->now.at]].overlap)
			save(as);
		as->now.at++;
		as->now.counter = 0;
	}
	return 0;
}

static int place_first_fit(struct assigner *as, size_t *failed)
{
	for (as->now.at = 0; as->now.at < as->cnt; as->now.at++) {
		as->order[as->now.at] = (uint8_t)as->now.at;
		as->now.counter = 0;
		if (find_counter(as))
			continue;
		*failed = as->now.at;
		return -EAGAIN;
	}
	return 0;
}

/*
 * One augmenting path of a bipartite matching: moves event `at` onto a counter and the events in
 * its way onto others.
 */
static bool augment(struct assigner *as, int8_t *owner, size_t at, uint64_t *seen)
{
	uint64_t open;

	for (open = as->events[at].counters & ~*seen; open;
	     open = as->events[at].counters & ~*seen) {
		int counter = __builtin_ctzll(open);

		*seen |= COUNTER_BIT(counter);
		if (owner[counter] >= 0 && !augment(as, owner, (size_t)owner[counter], seen))
			continue;
		owner[counter] = (int8_t)at;
		as->now.counters[at] = (int8_t)counter;
		return true;
	}
	return false;
}

static int place_matching(struct assigner *as, size_t *failed)
{
	int8_t owner[64];
	size_t i;

	memset(owner, -1, sizeof(owner));
	for (i = 0; i < as->cnt; i++) {
		uint64_t seen = 0;

		if (augment(as, owner, i, &seen))
			continue;
		*failed = i;
		return -EAGAIN;
	}
	return 0;
}

int assign__place(const struct assign_how *how, const struct assign_event *events, size_t cnt,
		  int8_t *counter, size_t *failed)
{
	struct assigner as = { .how = how, .events = events, .cnt = cnt };
	size_t ignored;
	int err;

	failed = failed ? failed : &ignored;
	if (cnt > ASSIGN_MAX)
		return -E2BIG;
	switch (how->policy) {
	case POLICY_FIRST_FIT:
		err = place_first_fit(&as, failed);
		break;
	case POLICY_MATCHING:
		err = place_matching(&as, failed);
		break;
	default:
		err = place_by_weight(&as, failed);
	}
	if (!err)
		memcpy(counter, as.now.counters, cnt);
	return err;
}

bool assign__keep(const struct assign_event *events, size_t cnt, const int8_t *last,
		  int8_t *counter)
{
	uint64_t used = 0;
	size_t i;

	for (i = 0; i < cnt; i++) {
		uint64_t taken;

		if (last[i] < 0 || !(events[i].counters & COUNTER_BIT(last[i])))
			return false;
		taken = taken_by(&events[i], last[i]);
		if (used & taken)
			return false;
		used |= taken;
	}
	memcpy(counter, last, cnt);
	return true;
}
