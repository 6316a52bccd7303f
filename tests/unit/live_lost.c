// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* A live source splits lost records into their causes, and hands each on once. */
#include "source/live_priv.h"

#include <string.h>

#include "tap.h"

static struct wire_cpu cpus[2];
static struct slot slots[1];
static size_t slot_of_cpu[1];
/* The first CPU has a ring, the other came online later. */
static struct live_source src = {
	.batches.cpus = cpus,
	.slots = slots,
	.slot_of_cpu = slot_of_cpu,
	.slot_cnt = 1,
};

struct seen {
	uint64_t lost[LOST_CPU_CAUSES], time_ns;
	int cnt, stop_after;
};

static int on_lost(void *ctx, const struct record *rec)
{
	struct seen *seen = ctx;

	seen->lost[rec->cause] += rec->kind == RECORD_LOST ? rec->lost_cnt : 1000000;
	seen->time_ns = rec->time_ns;
	return ++seen->cnt == seen->stop_after ? 17 : 0;
}

static struct seen hand_on(uint32_t cpu, uint64_t max)
{
	struct seen seen = { .cnt = 0 };

	is_s64(live_source__hand_on_lost(&src, cpu, 77, max, on_lost, &seen), 0,
	       "CPU %u, at most %llu lost records are handed on", cpu, (unsigned long long)max);
	return seen;
}

static void test_causes(void)
{
	struct seen seen;

	cpus[0].lost_full = 11;
	cpus[0].lost_nested = 3;
	cpus[0].lost_other = 5;
	seen = hand_on(0, 13);
	ok(seen.cnt == 2 && seen.lost[LOST_RING_FULL] == 11 && seen.lost[LOST_NESTED] == 2,
	   "a loss of 13 is split into its causes, in their order");
	is_u64(seen.time_ns, 77, "a lost record has the time of its place");
	seen = hand_on(0, UINT64_MAX);
	ok(seen.cnt == 2 && seen.lost[LOST_NESTED] == 1 && seen.lost[LOST_OTHER] == 5,
	   "the rest of the losses comes later, each cause once");
	is_s64(hand_on(0, UINT64_MAX).cnt, 0, "a loss is handed on once");
	cpus[0].lost_full = 24;
	is_u64(hand_on(0, UINT64_MAX).lost[LOST_RING_FULL], 13, "only the growth of a loss is new");
}

static void test_no_ring(void)
{
	struct seen seen;

	cpus[1].lost_no_ring = 2;
	cpus[1].cnt = 7;
	seen = hand_on(1, UINT64_MAX);
	ok(seen.cnt == 1 && seen.lost[LOST_NO_RING] == 9,
	   "the batch of a CPU without a ring is lost");
}

static void test_stop(void)
{
	struct seen seen = { .stop_after = 1 };

	cpus[0].lost_nested += 19;
	cpus[0].lost_other += 23;
	is_s64(live_source__hand_on_lost(&src, 0, 78, UINT64_MAX, on_lost, &seen), 17,
	       "the value of the receiver stops the losses, and is returned");
	is_u64(hand_on(0, UINT64_MAX).lost[LOST_OTHER], 23, "a loss that was stopped comes later");
}

static void test_flight(void)
{
	uint64_t lost[LOST_CPU_CAUSES];

	src.flight = (void *)&src;
	live_source__lost(&src, 0, lost);
	ok(lost[LOST_PAUSED] == 24 && !lost[LOST_RING_FULL],
	   "a ring that overwrites is paused, never full");
	src.batches.cpus = NULL;
	live_source__lost(&src, 0, lost);
	is_u64(lost[LOST_PAUSED], 0, "a source without batches counts no losses");
}

int main(void)
{
	test_causes();
	test_no_ring();
	test_stop();
	test_flight();
	return done_testing();
}
