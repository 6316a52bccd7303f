// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* Contexts and their order, rotation, groups' checks, sleep, regrouping: the rules one by one. */
#include <errno.h>
#include <linux/perf_event.h>

#include "tap.h"

#include "event/event.h"
#include "plan/model_choice.h"
#include "plan/plan.h"
#include "plan/quirks.h"
#include "plan/reason.h"
#include "plan/regroup.h"
#include "plan/simulate.h"

static struct plan plan;
static struct sim sim;

/* A PMU of n like counters, newest kernel. */
static void start(unsigned int counter_cnt)
{
	struct plan_machine machine = { .model = model__matching(counter_cnt),
					.kernel = KERNEL(6, 12),
					.watchdog_counter = -1 };

	plan__init(&plan, &machine);
}

/* One event in a group of its own, on any counter of `counters`. */
static struct plan_group *add(enum plan_ctx ctx, bool pinned, uint64_t counters)
{
	struct plan_group *group = plan__add_group(&plan, ctx);
	struct plan_event *ev = plan__add_hw(&plan, "e", PERF_TYPE_RAW, 1, 0);

	group->pinned = pinned;
	ev->counters = ev->real = counters;
	return group;
}

static void add_member(uint64_t counters)
{
	struct plan_event *ev = plan__add_hw(&plan, "m", PERF_TYPE_RAW, 1, 0);

	ev->counters = ev->real = counters;
}

static void run_for(uint64_t run_ns, double busy)
{
	struct sim_run run = { .run_ns = run_ns, .busy = busy };

	plan__open(&plan);
	sim__run(&sim, &plan, &run);
}

static void is_percent(size_t at, double want, const char *name)
{
	double got = sim_event__percent(&sim.events[at]);

	ok(got > want - 0.01 && got < want + 0.01, "%s: %.2f%%", name, got);
}

static void test_categories(void)
{
	start(1);
	add(PLAN_CTX_TASK, false, 1);
	add(PLAN_CTX_CPU, false, 1);
	add(PLAN_CTX_TASK, true, 1);
	add(PLAN_CTX_CPU, true, 1);
	run_for(0, 1);
	is_percent(3, 100, "one counter is the CPU's pinned group's");
	is_u64(sim.events[2].state, SIM_PINNED_ERROR, "the task's pinned group is in error");
	is_percent(1, 0, "the CPU's flexible group waits");
	is_percent(0, 0, "and so does the task's");

	start(1);
	add(PLAN_CTX_TASK, false, 1);
	add(PLAN_CTX_CPU, false, 1);
	run_for(0, 1);
	is_percent(1, 100, "of flexible groups the CPU's goes first");
	is_percent(0, 0, "and does not take turns with the task's");
	start(1);
	add(PLAN_CTX_TASK, true, 1);
	add(PLAN_CTX_CPU, false, 1);
	run_for(0, 1);
	is_percent(0, 100, "the task's pinned group goes before the CPU's flexible one");
}

static void test_lists(void)
{
	/* The CPU's list fails; the task's is tried all the same. */
	start(2);
	add(PLAN_CTX_CPU, false, 1);
	add(PLAN_CTX_CPU, false, 1);
	add(PLAN_CTX_TASK, false, 2);
	run_for(0, 1);
	is_percent(0, 50, "a failure stops");
	is_percent(1, 50, "its own list");
	is_percent(2, 100, "and no other");

	start(4);
	add(PLAN_CTX_TASK, false, 1);
	add(PLAN_CTX_TASK, false, 1);
	add(PLAN_CTX_TASK, false, 2);
	add(PLAN_CTX_TASK, false, 4);
	run_for(0, 1);
	is_percent(0, 75, "abcd, bcda, cdab, dabc: a");
	is_percent(1, 25, "b");
	is_percent(2, 50, "c, which in dabc stands behind b, failed");
	is_percent(3, 75, "d");
}

static void test_rotation(void)
{
	size_t i;

	start(4);
	for (i = 0; i < 6; i++)
		add(PLAN_CTX_TASK, false, 0xf);
	run_for(0, 1);
	for (i = 0; i < 6; i++)
		is_percent(i, 100.0 * 4 / 6, "six of like events on four counters");
	is_s64(sim.steps[1].counter[0], -1, "the first goes to the end of the list");
	ok(sim.steps[1].counter[4] >= 0, "after the rotation the fifth event is on");
	is_u64(sim.steps[1].start_ns, PLAN_MUX_NS,
	       "after the rotation the timer's interval has passed");

	start(4);
	for (i = 0; i < 6; i++)
		add(PLAN_CTX_TASK, false, 0xf);
	run_for(PLAN_MUX_NS * 3, 1);
	is_percent(0, 100.0 / 3, "a run of three intervals: the first");
	is_percent(3, 100, "the fourth");
	is_percent(5, 100.0 * 1 / 3, "the sixth");
	is_u64(sim.rotation_cnt, 2, "two turns in it");
}

static void test_groups(void)
{
	start(4);
	add(PLAN_CTX_TASK, false, 0xf);
	add_member(0xf);
	add_member(0xf);
	add_member(0xf);
	add_member(0xf);
	add_member(0xf);
	run_for(0, 1);
	is_u64(plan.events[3].refusal, PLAN_OPENS, "a group of four opens");
	is_u64(plan.events[4].refusal, PLAN_GROUP_FULL, "the fifth is refused");
	is_u64(plan.events[5].refusal, PLAN_GROUP_FULL, "a sixth event is refused");
	is_u64(sim.events[0].state, SIM_GROUP_BROKEN,
	       "what remains of a refused group is not read");

	/* A disabled sibling is not looked at. */
	start(1);
	add(PLAN_CTX_TASK, false, 1);
	add_member(1);
	plan.events[1].disabled = true;
	plan__open(&plan);
	is_u64(plan.events[1].refusal, PLAN_GROUP_FULL,
	       "a disabled one is checked when it is made");
	start(2);
	add(PLAN_CTX_TASK, false, 1);
	add_member(2);
	add_member(2);
	plan.events[1].disabled = true;
	plan__open(&plan);
	is_u64(plan.events[2].refusal, PLAN_OPENS,
	       "a disabled event is not checked when the next one is made");
	plan.events[1].disabled = false;
	plan.groups[0].is_hw = false;
	plan__open(&plan);
	is_u64(plan.events[2].refusal, PLAN_GROUP_FULL,
	       "a disabled event is checked when it is enabled");

	start(2);
	add(PLAN_CTX_TASK, false, 0);
	add_member(1);
	plan__open(&plan);
	is_u64(plan.events[0].refusal, PLAN_NO_COUNTER, "a leader that no counter can have");
	is_u64(plan.events[1].refusal, PLAN_LEADER_GONE,
	       "a leader that no counter can have: its group has none either");

	start(2);
	add(PLAN_CTX_TASK, false, 3)->weak = true;
	add_member(3);
	add_member(3);
	run_for(0, 1);
	is_u64(plan.group_cnt, 3, "a weak group is split");
	is_percent(0, 100.0 * 2 / 3, "and its events take turns");

	start(2);
	plan__add_group(&plan, PLAN_CTX_TASK);
	plan__add_sw(&plan, "faults");
	add(PLAN_CTX_TASK, false, 1);
	plan__add_sw(&plan, "faults");
	add(PLAN_CTX_TASK, false, 1);
	run_for(0, 1);
	is_percent(0, 100, "software events alone need no turn");
	is_percent(2, 50, "with a hardware event they share its fate");
}

static void test_exclusive(void)
{
	start(4);
	add(PLAN_CTX_TASK, false, 0xf)->exclusive = true;
	add(PLAN_CTX_TASK, false, 0xf);
	run_for(0, 1);
	is_percent(0, 50, "an exclusive group is alone on the PMU");
	is_percent(1, 50, "and takes turns with the rest");
}

static void test_sleep(void)
{
	double percent;
	size_t i;

	start(1);
	add(PLAN_CTX_TASK, false, 1);
	add(PLAN_CTX_TASK, false, 1);
	run_for(1000000000, 0);
	is_percent(0, 100, "sleep 1: the first runs all the time");
	is_percent(1, 0, "the second never");
	is_u64(sim.rotation_cnt, 0, "no turn came");
	ok(sim.slept_through, "a timer came before the turn");

	start(1);
	add(PLAN_CTX_TASK, false, 1);
	add(PLAN_CTX_TASK, false, 1);
	run_for(10000000000ull, 0.5);
	percent = sim_event__percent(&sim.events[1]);
	ok(percent > 45 && percent < 55, "half asleep, in bursts: both get their share (%.1f)",
	   percent);

	/* Events of a CPU have their turns whether anybody runs or not. */
	start(1);
	for (i = 0; i < 2; i++)
		add(PLAN_CTX_CPU, false, 1);
	run_for(PLAN_MUX_NS * 100, 0);
	is_percent(1, 50, "events of a CPU know no sleep");
}

static void test_armv8(void)
{
	struct plan_machine machine = { .model = model__armv8(6),
					.kernel = KERNEL(6, 12),
					.watchdog_counter = -1 };
	size_t i;

	plan__init(&plan, &machine);
	plan__add_group(&plan, PLAN_CTX_TASK);
	plan__add_hw(&plan, "cycles", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES, 0);
	for (i = 0; i < 7; i++)
		plan__add_hw(&plan, "r8", PERF_TYPE_RAW, 8, 0);
	plan__open(&plan);
	is_u64(plan.events[6].refusal, PLAN_OPENS, "cycles and six fit");
	is_u64(plan.events[7].refusal, PLAN_GROUP_FULL, "the eighth does not");
	plan__init(&plan, &machine);
	for (i = 0; i < 10; i++) {
		plan__add_group(&plan, PLAN_CTX_TASK);
		plan__add_hw(&plan, "cycles", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES, 0);
	}
	run_for(0, 1);
	is_percent(9, 70, "ten of cycles on seven counters");
	plan__init(&plan, &machine);
	plan__add_group(&plan, PLAN_CTX_TASK);
	plan__add_hw(&plan, "ref-cycles", PERF_TYPE_HARDWARE, PERF_COUNT_HW_REF_CPU_CYCLES, 0);
	plan__open(&plan);
	is_u64(plan.events[0].refusal, PLAN_NO_EVENT, "what the PMU does not have is refused");
}

static void test_regroup(void)
{
	struct regroup re;
	size_t i;

	start(2);
	for (i = 0; i < 3; i++)
		add(PLAN_CTX_TASK, false, 1);
	for (i = 0; i < 3; i++)
		add(PLAN_CTX_TASK, false, 2);
	plan__open(&plan);
	regroup__find(&re, &plan);
	is_u64(re.run_cnt, 3, "three on each of two counters: three runs");
	ok(re.exact, "three on each of two counters: the least possible");
	/* First fit in order puts {0} {1} with the pairs apart; the least is two. */
	start(4);
	add(PLAN_CTX_TASK, false, 0xf);
	add(PLAN_CTX_TASK, false, 0xf);
	add(PLAN_CTX_TASK, false, 0xf);
	add_member(0xf);
	add_member(0xf);
	add(PLAN_CTX_TASK, false, 0xf);
	add_member(0xf);
	add_member(0xf);
	plan__open(&plan);
	regroup__find(&re, &plan);
	is_u64(re.run_cnt, 2, "two groups of three and two events: two runs");
	is_u64(re.run[2], re.run[3], "a group stays together");
	start(2);
	for (i = 0; i < 41; i++)
		add(PLAN_CTX_TASK, false, 3);
	plan__open(&plan);
	regroup__find(&re, &plan);
	is_u64(re.run_cnt, 21, "forty-one on two counters: 21 runs");
	start(2);
	add(PLAN_CTX_TASK, false, 3);
	add_member(3);
	add_member(3);
	plan__open(&plan);
	regroup__find(&re, &plan);
	is_u64(re.run_cnt, 2, "a group that never fits is taken apart");
	ok(re.split[0], "a group that never fits is reported");
	start(2);
	add(PLAN_CTX_TASK, false, 0);
	plan__open(&plan);
	regroup__find(&re, &plan);
	is_u64(re.run[0], REGROUP_NEVER, "what no counter can have is in none");
}

static void test_versions(void)
{
	static const struct {
		const char *text;
		uint32_t want;
	} good[] = {
		{ "6.1", KERNEL(6, 1) },
		{ "4.1-rc7", KERNEL_RC(4, 1, 7) },
		{ "6.1.0-18-amd64", KERNEL(6, 1) },
		{ "5.10.0", KERNEL(5, 10) },
		{ "2.6.33", KERNEL_RC(2, 6, 33) },
		{ "6.18.0-rc3+", KERNEL_RC(6, 18, 3) },
	};
	static const char *const bad[] = { "", "6", "6.", "x", "-1.2", "6.1x", "300.1", "6.999" };
	uint32_t kernel;
	size_t i;

	for (i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
		kernel = 0;
		ok(!kernel__parse(good[i].text, &kernel), "%s is a version", good[i].text);
		is_u64(kernel, good[i].want, "%s", good[i].text);
	}
	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		ok(kernel__parse(bad[i], &kernel) == -EINVAL, "'%s' is none", bad[i]);
	ok(KERNEL_RC(4, 1, 7) < KERNEL(4, 1) && KERNEL(4, 1) < KERNEL_RC(4, 2, 1),
	   "a release comes after its rcs");
}

/* Codes that the models' names stand for, as the vendor's manuals have them. */
static void test_names(void)
{
	static const struct {
		const char *pmu, *name;
		uint64_t code, counters; /* with hyper-threading */
	} names[] = {
		{ "snb", "l1d_pend_miss.pending", 0x0148, 0x4 },
		{ "snb", "mem_load_uops_retired.l1_miss", 0x08d1, 0xf },
		{ "ivb", "cycle_activity.stalls_l1d_pending", 0xc000ca3, 0x4 },
		{ "hsw", "cycles", 0x3c, 0x20000000full },
		{ "hsw", "mem_trans_retired.latency_above_threshold:ldlat=3", 0x01cd, 0x8 },
		{ "bdw", "instructions", 0xc0, 0x10000000full },
		{ "skl", "ref-cycles", 0x0300, 0x400000000ull },
		{ "skl", "inst_retired.prec_dist", 0x01c0, 0x2 },
		{ "skl", "L1-dcache-loads", 0x81d0, 0xf },
		{ "skl", "cpu/event=0xc4,umask=0x20/", 0x20c4, 0xf },
		{ "icl", "dtlb_load_misses.walk_completed", 0x0e08, 0xf },
		{ "icl", "br_inst_retired.all_branches", 0x00c4, 0xff },
		{ "icl", "topdown.slots", 0x0400, 0x800000000ull },
	};
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		struct plan_machine machine = { .model = model__find(names[i].pmu),
						.kernel = KERNEL(6, 12),
						.ht = true,
						.watchdog_counter = -1 };
		struct event_list list = { 0 };

		model_choice__use_names(machine.model);
		plan__init(&plan, &machine);
		if (!ok(!event_list__add(&list, names[i].name), "%s::%s", names[i].pmu,
			names[i].name))
			continue;
		plan__add_list(&plan, &list, PLAN_CTX_TASK);
		plan__open(&plan);
		is_u64(plan.events[0].code & 0xf00ffff, names[i].code & 0xf00ffff,
		       "an event of the model has that code");
		is_u64(plan.events[0].counters, names[i].counters,
		       "an event of the model has those counters");
		event_list__free(&list);
	}
	model_choice__use_names(NULL);
}

/* A sentence for whatever may happen: it names the counter and the event on it. */
static void test_reasons(void)
{
	struct strbuf out = STRBUF_INIT;

	start(2);
	add(PLAN_CTX_TASK, true, 1);
	plan.events[0].name = "holder";
	add(PLAN_CTX_TASK, false, 1);
	run_for(0, 1);
	reason__put(&plan, &sim, 1, &out);
	is_str(strbuf__cstr(&out),
	       "only CNT0 can count it, and holder is always placed first: it is pinned",
	       "an event that cannot count: the reason");
	strbuf__reset(&out);
	reason__put(&plan, &sim, 0, &out);
	is_str(strbuf__cstr(&out), "always has CNT0",
	       "an event that cannot count: no reason for the others");
	strbuf__free(&out);
}

int main(void)
{
	test_categories();
	test_lists();
	test_rotation();
	test_groups();
	test_exclusive();
	test_sleep();
	test_armv8();
	test_regroup();
	test_versions();
	test_names();
	test_reasons();
	return done_testing();
}
