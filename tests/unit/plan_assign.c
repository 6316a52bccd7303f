// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * Placement against an oracle that tries every assignment: 10,000 small PMUs, random by a fixed
 * seed. What is placed is right; what is not placed cannot be, except where the kernel's order is
 * known to miss it, and those cases are counted and listed by their cause. Beside it, the article's
 * example of overlapping constraints.
 */
#include <errno.h>

#include "rnd.h"
#include "tap.h"

#include "plan/assign.h"

#define MODEL_CNT 10000
#define EVENTS_MAX 7

struct trial {
	struct assign_how how;
	struct assign_event events[EVENTS_MAX];
	size_t cnt;
};

/* Every assignment, general_max and total_max as the kernel understands them. */
static bool can_be_placed(const struct trial *t, size_t at, uint64_t used)
{
	uint64_t left;

	if (t->how.total_max && (unsigned int)__builtin_popcountll(used) > t->how.total_max)
		return false;
	if (t->how.general_max &&
	    (unsigned int)__builtin_popcountll(used & COUNTERS_GENERAL) > t->how.general_max)
		return false;
	if (at == t->cnt)
		return true;
	for (left = t->events[at].counters & ~used; left; left &= left - 1)
		if (can_be_placed(t, at + 1, used | (left & -left)))
			return true;
	return false;
}

static bool is_right(const struct trial *t, const int8_t *counter)
{
	uint64_t used = 0;
	size_t i;

	for (i = 0; i < t->cnt; i++) {
		uint64_t bit = COUNTER_BIT(counter[i]);

		if (counter[i] < 0 || used & bit || !(t->events[i].counters & bit))
			return false;
		used |= bit;
	}
	return (!t->how.general_max || (unsigned int)__builtin_popcountll(
					       used & COUNTERS_GENERAL) <= t->how.general_max) &&
	       (!t->how.total_max || (unsigned int)__builtin_popcountll(used) <= t->how.total_max);
}

/*
 * Are constraints such that no choice of a counter can be a wrong one for those placed later: is,
 * of each two that share a counter, the lighter one a part of the other?
 */
static bool is_nested(const struct trial *t)
{
	size_t i, j;

	for (i = 0; i < t->cnt; i++)
		for (j = 0; j < i; j++) {
			uint64_t a = t->events[i].counters, b = t->events[j].counters;

			if (a & b && a & ~b && b & ~a)
				return false;
		}
	return true;
}

/*
 * Two of the same fixed counter's events, or a fixed one beside a limit: greed can be wrong there.
 */
static bool has_fixed(const struct trial *t)
{
	size_t i;

	for (i = 0; i < t->cnt; i++)
		if (t->events[i].counters & ~COUNTERS_GENERAL)
			return true;
	return false;
}

static void make_trial(struct trial *t)
{
	uint32_t general = 1 + (uint32_t)rnd(5), fixed = (uint32_t)rnd(3), i;

	memset(t, 0, sizeof(*t));
	t->how = (struct assign_how){
		.policy = POLICY_WEIGHT, .by_weight = true, .fixed_first = true, .backtrack = true
	};
	t->cnt = 1 + (uint32_t)rnd(EVENTS_MAX);
	if ((uint32_t)rnd(4) == 0)
		t->how.general_max = 1 + (uint32_t)rnd(general);
	for (i = 0; i < t->cnt; i++) {
		uint64_t all = (1ull << general) - 1;

		/* Half of them go anywhere, as most events do. */
		t->events[i].counters = (uint32_t)rnd(2) ? all : 1 + (uint32_t)rnd((uint32_t)all);
		if (fixed && (uint32_t)rnd(3) == 0)
			t->events[i].counters |= COUNTER_BIT(COUNTER_FIXED + (uint32_t)rnd(fixed));
		t->events[i].overlap = (uint32_t)rnd(6) == 0;
	}
}

/* Policies that miss nothing: agreement in all 10,000. */
static void test_matching(void)
{
	unsigned int agree = 0, wrong = 0, placed = 0, i;
	int8_t counter[EVENTS_MAX];
	struct trial t;

	for (i = 0; i < MODEL_CNT; i++) {
		int err;

		make_trial(&t);
		t.how.policy = POLICY_MATCHING;
		t.how.general_max = 0;
		err = assign__place(&t.how, t.events, t.cnt, counter, NULL);
		placed += !err;
		wrong += !err && !is_right(&t, counter);
		agree += !err == can_be_placed(&t, 0, 0);
	}
	is_u64(agree, MODEL_CNT, "augmenting paths find what there is (%u placed)", placed);
	is_u64(wrong, 0, "augmenting paths place events on counters that allow them");
}

/* One that the kernel's order misses: an assignment exists. */
static void show(const struct trial *t)
{
	char text[256];
	size_t i;
	int len = 0;

	for (i = 0; i < t->cnt; i++)
		len += snprintf(text + len, sizeof(text) - (size_t)len, " %llx%s",
				(unsigned long long)t->events[i].counters,
				t->events[i].overlap ? "*" : "");
	diag("missed:%s%s (masks of counters, * overlapping)", text,
	     t->how.general_max ? ", with a limit" : "");
}

static void test_weight(void)
{
	unsigned int agree = 0, wrong = 0, over = 0, placed = 0, i;
	unsigned int missed_crossing = 0, missed_limit = 0, missed_fixed = 0, missed_else = 0;
	int8_t counter[EVENTS_MAX];
	struct trial t;

	for (i = 0; i < MODEL_CNT; i++) {
		bool can;
		int err;

		make_trial(&t);
		can = can_be_placed(&t, 0, 0);
		err = assign__place(&t.how, t.events, t.cnt, counter, NULL);
		placed += !err;
		wrong += !err && !is_right(&t, counter);
		over += !err && !can;
		if (!err == can) {
			agree++;
			continue;
		}
		show(&t);
		if (!is_nested(&t))
			missed_crossing++;
		else if (t.how.general_max && has_fixed(&t))
			missed_limit++;
		else if (has_fixed(&t))
			missed_fixed++;
		else
			missed_else++;
	}
	is_u64(wrong, 0, "what the kernel's order places is placed rightly (%u of %d)", placed,
	       MODEL_CNT);
	is_u64(over, 0, "nothing is placed that cannot be");
	diag("agreed in %u; missed: constraints that cross %u, fixed counters and a limit %u, "
	     "fixed counters %u",
	     agree, missed_crossing, missed_limit, missed_fixed);
	is_u64(missed_else, 0, "where constraints do not cross, the kernel's order misses nothing");
	ok(agree >= MODEL_CNT * 9 / 10, "both agree in %u", agree);
}

/* The article: A 1001, B 0011, C and D 0111; A and B overlap. */
static void test_overlap(void)
{
	struct assign_event events[] = {
		{ .counters = 0x9, .overlap = true },
		{ .counters = 0x3, .overlap = true },
		{ .counters = 0x7 },
		{ .counters = 0x7 },
	};
	struct assign_how how = assign__how(model__find("snb"), KERNEL(5, 3));
	int8_t counter[4];
	size_t failed = 9;

	ok(!assign__place(&how, events, 4, counter, NULL), "four overlapping events find counters");
	is_s64(counter[0], 3, "A, tried again, gets counter 3");
	is_s64(counter[1], 0, "four overlapping events: B gets counter 0");
	is_s64(counter[2], 1, "four overlapping events: C gets counter 1");
	is_s64(counter[3], 2, "four overlapping events: D gets counter 2");
	how = assign__how(model__find("snb"), KERNEL(3, 2));
	is_s64(assign__place(&how, events, 4, counter, &failed), -EAGAIN,
	       "before 3.3 there is no way back");
	is_u64(failed, 3, "before 3.3 D gets no counter");
	events[0].overlap = events[1].overlap = false;
	how = assign__how(model__find("snb"), KERNEL(5, 3));
	is_s64(assign__place(&how, events, 4, counter, &failed), -EAGAIN,
	       "no way back where events are not marked as overlapping");
}

/* From 4.1-rc7 on general counters that were given back count against the limit all the same. */
static void test_tries(void)
{
	struct assign_event events[] = { { .counters = 0x9, .overlap = true },
					 { .counters = 0x3, .overlap = true },
					 { .counters = 0x7 },
					 { .counters = 0x7 } };
	struct assign_how how = assign__how(model__find("snb"), KERNEL_RC(4, 1, 6));
	int8_t counter[4];

	how.general_max = 4;
	is_s64(assign__place(&how, events, 4, counter, NULL), 0,
	       "four counters, before 4.1-rc7: A B C D find counters");
	how = assign__how(model__find("snb"), KERNEL_RC(4, 1, 7));
	how.general_max = 4;
	is_s64(assign__place(&how, events, 4, counter, NULL), -EAGAIN,
	       "four counters, 4.1-rc7: A's second try is the fifth counter");
	how.general_max = 5;
	is_s64(assign__place(&how, events, 4, counter, NULL), 0, "a limit of five suffices");
}

static void test_keep(void)
{
	struct assign_event events[] = { { .counters = 0xf }, { .counters = 0x6 } };
	int8_t last[] = { 2, 1 }, counter[2] = { -1, -1 };

	ok(assign__keep(events, 2, last, counter) && counter[0] == 2 && counter[1] == 1,
	   "events stay on their last counters");
	last[1] = 3;
	ok(!assign__keep(events, 2, last, counter), "not on one that is forbidden now");
	last[1] = 2;
	ok(!assign__keep(events, 2, last, counter), "not two on one");
	last[1] = -1;
	ok(!assign__keep(events, 2, last, counter), "not an event that was never on one");
	events[1].pair = true;
	last[0] = 2;
	last[1] = 1;
	ok(!assign__keep(events, 2, last, counter), "not an event on a pair's second counter");
}

static void test_pairs(void)
{
	struct assign_event events[] = { { .counters = 0x5, .pair = true },
					 { .counters = 0x5, .pair = true },
					 { .counters = 0xf } };
	struct assign_how how = assign__how(model__find("snb"), KERNEL(6, 12));
	int8_t counter[3];

	is_s64(assign__place(&how, events, 2, counter, NULL), 0, "two pairs on four counters");
	ok(counter[0] == 0 && counter[1] == 2, "two pairs: the second counter of each is free");
	is_s64(assign__place(&how, events, 3, counter, NULL), -EAGAIN,
	       "two pairs on four counters leave none");
}

/* Two saved states at most: a third overlapping event's place is not come back to. */
static void test_two_states(void)
{
	struct assign_event events[] = {
		{ .counters = 0x11, .overlap = true },
		{ .counters = 0x22, .overlap = true },
		{ .counters = 0x44, .overlap = true },
		{ .counters = 0x07 },
		{ .counters = 0x07 },
		{ .counters = 0x07 },
	};
	struct assign_how how = assign__how(model__find("snb"), KERNEL(5, 3));
	int8_t counter[6];

	is_s64(assign__place(&how, events, 6, counter, NULL), -EAGAIN,
	       "three would have to move, two states are saved");
	is_s64(assign__place(&how, events, 5, counter, NULL), 0, "two can move");
	is_s64(assign__place(&how, events, 4, counter, NULL), 0,
	       "three would have to move: one can");
}

int main(void)
{
	test_overlap();
	test_tries();
	test_keep();
	test_pairs();
	test_two_states();
	test_matching();
	test_weight();
	return done_testing();
}
