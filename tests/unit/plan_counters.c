// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * The rules of x86's scheduler beside placing: events stay on their last counters, lists are left
 * alone, exclusive groups, counters and registers that others have, disabled events. The events
 * name their own counters, so that no family's table matters.
 */
#include <errno.h>
#include <linux/perf_event.h>

#include "tap.h"

#include "plan/plan.h"
#include "plan/quirks.h"
#include "plan/reason.h"
#include "plan/simulate.h"

static struct plan plan;
static struct sim sim;
static struct plan_machine machine;

static void machine_of(unsigned int general_cnt, uint32_t kernel)
{
	machine = (struct plan_machine){ .model = model__counters(general_cnt, 0),
					 .kernel = kernel,
					 .watchdog_counter = -1 };
}

static struct plan_group *add(enum plan_ctx ctx, bool pinned, uint64_t counters, unsigned int flags)
{
	struct plan_group *group = plan__add_group(&plan, ctx);

	group->pinned = pinned;
	plan__add_hw(&plan, "e", PERF_TYPE_RAW, counters, flags);
	return group;
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

/* Two events of the HT erratum and one that fits counter 2 alone: the limit is two. */
static void add_three(void)
{
	plan__init(&plan, &machine);
	add(PLAN_CTX_TASK, false, 0xf, RULE_CORRUPTING);
	add(PLAN_CTX_TASK, false, 0xf, RULE_CORRUPTING);
	add(PLAN_CTX_TASK, false, 0x4, 0);
}

static void test_rest(void)
{
	static const int8_t want[][3] = {
		{ 0, 1, -1 }, { -1, 0, 2 }, { 0, -1, 2 }, { 0, 1, -1 }, { 0, 1, 2 }
	};
	size_t i;

	machine_of(4, KERNEL(7, 2));
	machine.ht = true;
	add_three();
	run_for(0, 1);
	for (i = 0; i < 3; i++)
		is_percent(i, 100, "all three come to rest on their last counters");
	for (i = 0; i < 5; i++)
		ok(!memcmp(sim.steps[i].counter, want[i], 3), "turn %zu: the counters", i);
	is_u64(sim.settled_ns, 4 * PLAN_MUX_NS, "all three rest after four turns");

	/* A failure does not take the last counter away, nor does a switch of tasks. */
	add_three();
	run_for(10000000000, 0.5);
	for (i = 0; i < 3; i++)
		ok(sim_event__percent(&sim.events[i]) > 95, "a task that sleeps keeps them: %.2f%%",
		   sim_event__percent(&sim.events[i]));

	machine.kernel = KERNEL_RC(4, 1, 6);
	add_three();
	run_for(0, 1);
	is_percent(2, 100.0 * 2 / 3, "4.1-rc1 to -rc6 look at their limit first");

	/* Three of the erratum's, and no fourth that draws one away: no order comes to rest. */
	machine.kernel = KERNEL(7, 2);
	plan__init(&plan, &machine);
	for (i = 0; i < 3; i++)
		add(PLAN_CTX_TASK, false, 0xf, RULE_CORRUPTING);
	run_for(0, 1);
	for (i = 0; i < 3; i++)
		is_percent(i, 100.0 * 2 / 3, "three like events never fit their last counters");
	is_u64(sim.settled_ns, 0, "three like events never rest");
}

static void test_exclusive(void)
{
	machine_of(4, KERNEL(5, 10));
	plan__init(&plan, &machine);
	add(PLAN_CTX_CPU, true, 1, 0);
	add(PLAN_CTX_TASK, false, 2, 0)->exclusive = true;
	run_for(0, 1);
	is_percent(1, 0, "before 5.11 an exclusive group waits for pinned ones");
	machine.kernel = KERNEL_RC(5, 11, 1);
	plan__init(&plan, &machine);
	add(PLAN_CTX_CPU, true, 1, 0);
	add(PLAN_CTX_TASK, false, 2, 0)->exclusive = true;
	add(PLAN_CTX_TASK, false, 4, 0);
	run_for(0, 1);
	is_percent(0, 100, "from 5.11 on the pinned group");
	is_percent(1, 50, "and the exclusive group share the PMU");
	is_percent(2, 50, "which it does not share with its list");
}

/* A CPU's list is tried again at its own turns, not when a task comes and goes. */
static void test_lists_left_alone(void)
{
	machine_of(2, KERNEL(7, 2));
	plan__init(&plan, &machine);
	add(PLAN_CTX_CPU, false, 1, 0);
	add(PLAN_CTX_CPU, false, 2, 0);
	add(PLAN_CTX_TASK, false, 3, 0);
	run_for(0, 1);
	is_percent(0, 100, "a CPU's events that fit stay");
	is_percent(1, 100, "and so does the second");
	is_percent(2, 0, "the task's list turns without them");

	plan__init(&plan, &machine);
	add(PLAN_CTX_TASK, true, 1, 0);
	add(PLAN_CTX_CPU, false, 3, 0);
	add(PLAN_CTX_CPU, false, 3, 0);
	run_for(1000000000, 0.5);
	is_percent(0, 100, "a task's pinned event has its counter whenever the task runs");
	ok(sim_event__percent(&sim.events[1]) > 50 && sim_event__percent(&sim.events[1]) < 95,
	   "the CPU's events turn meanwhile: %.2f%%", sim_event__percent(&sim.events[1]));
}

static void test_northbridge(void)
{
	machine_of(4, KERNEL(7, 2));
	machine.northbridge = 0x3;
	plan__init(&plan, &machine);
	add(PLAN_CTX_TASK, false, 0xf, RULE_NORTHBRIDGE);
	add(PLAN_CTX_TASK, false, 0xf, 0);
	add(PLAN_CTX_TASK, false, 0xf, 0);
	run_for(0, 1);
	is_s64(sim.steps[0].counter[0], 2, "a northbridge event has the first that no core has");
	is_s64(sim.steps[0].counter[1], 0, "another event has what only cores share");
	is_percent(2, 100, "all three are counted");

	machine.northbridge = 0xf;
	plan__init(&plan, &machine);
	add(PLAN_CTX_TASK, false, 0xf, RULE_NORTHBRIDGE);
	run_for(0, 1);
	is_percent(0, 0, "a northbridge event where other cores have all");
	is_u64(plan.events[0].refusal, PLAN_OPENS,
	       "no check of a group looks at what other cores have");
}

/* Nehalem has one register, which the threads share. */
static void test_offcore(void)
{
	struct model model = *model__find("snb");
	size_t i;

	model.shares_offcore = model.one_offcore = true;
	for (i = 0; i < 3; i++) {
		machine = (struct plan_machine){ .model = &model,
						 .kernel = KERNEL(7, 2),
						 .watchdog_counter = -1,
						 .ht = true,
						 .sibling_offcore = { i == 2 ? 0x10001 : 0x10002 },
						 .sibling_offcore_cnt = i > 0 };
		plan__init(&plan, &machine);
		plan__add_group(&plan, PLAN_CTX_TASK);
		plan__add_hw(&plan, "o", PERF_TYPE_RAW, 0x01b7, 0x10001);
		run_for(0, 1);
		is_percent(0, i == 1 ? 0 : 100,
			   i == 0   ? "the register is free"
			   : i == 1 ? "the other thread has another value in it"
				    : "the other thread has the same value in it");
	}
	model.shares_offcore = false;
	machine.sibling_offcore[0] = 0x10002;
	plan__init(&plan, &machine);
	plan__add_group(&plan, PLAN_CTX_TASK);
	plan__add_hw(&plan, "o", PERF_TYPE_RAW, 0x01b7, 0x10001);
	plan__add_group(&plan, PLAN_CTX_TASK);
	plan__add_hw(&plan, "o", PERF_TYPE_RAW, 0x01b7, 0x10004);
	run_for(0, 1);
	is_percent(0, 50, "registers of its own, but one: two values take turns");
}

/* A, m (disabled), n: and last a member that is checked when it is opened, disabled or not. */
/* Golden Cove and Gracemont: up to 6.6 the fixed counter alone, then general counters as well. */
static void test_ref_cycles(void)
{
	static const char *const pmus[] = { "spr", "gnr", "adl", "adl_atom", "srf" };
	size_t i;

	for (i = 0; i < sizeof(pmus) / sizeof(pmus[0]); i++) {
		const uint64_t fixed = 1ull << 34;
		struct plan_event *ev, *raw;

		machine = (struct plan_machine){ .model = model__find(pmus[i]),
						 .kernel = KERNEL(6, 6) };
		plan__init(&plan, &machine);
		plan__add_group(&plan, PLAN_CTX_TASK);
		ev = plan__add_hw(&plan, "ref-cycles", PERF_TYPE_HARDWARE,
				  PERF_COUNT_HW_REF_CPU_CYCLES, 0);
		raw = plan__add_hw(&plan, "r13c", PERF_TYPE_RAW, 0x13c, 0);
		is_u64(ev->counters, fixed, "%s, 6.6: ref-cycles", pmus[i]);
		is_u64(raw->counters, machine.model->general, "%s, 6.6: r13c", pmus[i]);
		plan.machine.kernel = machine.kernel = KERNEL_RC(6, 7, 1);
		plan__init(&plan, &machine);
		plan__add_group(&plan, PLAN_CTX_TASK);
		ev = plan__add_hw(&plan, "ref-cycles", PERF_TYPE_HARDWARE,
				  PERF_COUNT_HW_REF_CPU_CYCLES, 0);
		is_u64(ev->counters, machine.model->general | fixed, "%s, 6.7-rc1: ref-cycles",
		       pmus[i]);
	}
}

/* The pseudo codes of fixed counters and other rules came, and Lion Cove's went, with 7.2. */
static void test_rules_of_7_2(void)
{
	static const struct {
		const char *pmu;
		uint64_t code, before, since;
	} rows[] = {
		{ "spr", 0x0200, 0xff, 1ull << 33 },
		{ "spr", 0x0ca3, 0xff, 0xf },
		{ "adl_atom", 0x0100, 0x3f, 1ull << 32 },
		{ "lnl", 0x012a, 0xf, 0x3ff },
		{ "lnl", 0x00e0, 0xf, 0x3ff },
		{ "lnl", 0x10a4, 0x1, 0x8 },
		{ "lnl", 0x87d0, 0xf, 0x3ff },
		{ "dmr", 0x01b2, 0xff, 0xf },
		{ "nvl_atom", 0x08d4, 0x8, 0xff },
		{ "lnl_atom", 0x0500, 0xff, 1ull << 36 },
		{ "spr", 0x0400, 1ull << 35, 1ull << 35 },
	};
	size_t i;

	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct plan_event ev = { .is_hw = true, .is_raw = true, .code = rows[i].code };

		machine = (struct plan_machine){ .model = model__find(rows[i].pmu),
						 .kernel = KERNEL(7, 1) };
		quirks__constrain(&machine, &ev);
		is_u64(ev.counters, rows[i].before, "%s, 7.1: counters of %#" PRIx64, rows[i].pmu,
		       rows[i].code);
		machine.kernel = KERNEL_RC(7, 2, 1);
		quirks__constrain(&machine, &ev);
		is_u64(ev.counters, rows[i].since, "%s, 7.2-rc1: counters of %#" PRIx64,
		       rows[i].pmu, rows[i].code);
	}
}

/* Memory's cache events went from P cores of clients with 7.0, not from servers. */
static void test_node_events(void)
{
	static const char *const pmus[] = { "adl", "mtl", "lnl", "spr", "gnr" };
	size_t i;

	for (i = 0; i < sizeof(pmus) / sizeof(pmus[0]); i++) {
		const struct model *model = model__find(pmus[i]);
		const uint64_t node_loads = 6;
		uint64_t code, config1;

		ok(!model__code(model, KERNEL(6, 19), PERF_TYPE_HW_CACHE, node_loads, &code,
				&config1),
		   "%s, 6.19: node-loads are there", pmus[i]);
		ok(model__code(model, KERNEL_RC(7, 0, 1), PERF_TYPE_HW_CACHE, node_loads, &code,
			       &config1) == (i < 3 ? -ENOENT : 0),
		   "%s, 7.0-rc1: node-loads are %s", pmus[i], i < 3 ? "gone" : "there");
	}
}

/* The kernel has known the events of Apple's PMUs better from version to version. */
static void test_apple_events(void)
{
	static const struct {
		const char *what;
		uint32_t type;
		uint64_t config, before, after;
		uint32_t until, since;
	} rows[] = {
		{ "INST_INT_ST", PERF_TYPE_RAW, 0x96, 0xe0, 0x80, KERNEL(6, 11),
		  KERNEL_RC(6, 12, 1) },
		{ "INST_LDST", PERF_TYPE_RAW, 0x9b, 0xe0, 0x80, KERNEL(6, 11),
		  KERNEL_RC(6, 12, 1) },
		{ "branches", PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_INSTRUCTIONS, 0, 0xe0,
		  KERNEL(6, 13), KERNEL_RC(6, 14, 1) },
	};
	size_t i;

	for (i = 0; i < 2 * sizeof(rows) / sizeof(rows[0]); i++) {
		bool is_later = i % 2;
		uint64_t want = is_later ? rows[i / 2].after : rows[i / 2].before;
		struct plan_event *ev;

		machine = (struct plan_machine){ .model = model__find("m1"),
						 .kernel = is_later ? rows[i / 2].since
								    : rows[i / 2].until };
		plan__init(&plan, &machine);
		plan__add_group(&plan, PLAN_CTX_TASK);
		ev = plan__add_hw(&plan, "event", rows[i / 2].type, rows[i / 2].config, 0);
		plan__open(&plan);
		is_u64(ev->refusal == PLAN_OPENS ? ev->counters : 0, want,
		       "%s of M1: counters of %s kernels", rows[i / 2].what,
		       is_later ? "later" : "earlier");
	}
}

/* Gracemont's off-core registers take more bits from 7.2 on; Panther Cove has more such events. */
static void test_register_values(void)
{
	static const struct {
		const char *pmu;
		uint64_t code, val;
		uint32_t kernel;
		bool opens;
	} rows[] = {
		{ "adl_atom", 0x01b7, 1ull << 63 | 1, KERNEL(7, 1), false },
		{ "adl_atom", 0x01b7, 1ull << 63 | 1, KERNEL_RC(7, 2, 1), true },
		{ "adl_atom", 0x02b7, 1ull << 63 | 1, KERNEL_RC(7, 2, 1), false },
		{ "srf", 0x01b7, 1ull << 63 | 1, KERNEL(6, 12), true },
		{ "dmr", 0x014f, 1ull << 16, KERNEL(7, 2), true },
		{ "dmr", 0x014f, 1ull << 16, KERNEL_RC(7, 3, 1), false },
		{ "dmr", 0x012a, 1ull << 16, KERNEL(7, 2), false },
	};
	size_t i;

	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct plan_event *ev;

		machine = (struct plan_machine){ .model = model__find(rows[i].pmu),
						 .kernel = rows[i].kernel };
		plan__init(&plan, &machine);
		plan__add_group(&plan, PLAN_CTX_TASK);
		ev = plan__add_hw(&plan, "offcore", PERF_TYPE_RAW, rows[i].code, rows[i].val);
		plan__open(&plan);
		ok((ev->refusal == PLAN_OPENS) == rows[i].opens,
		   "row %zu, %s: the kernel %s the value", i, rows[i].pmu,
		   rows[i].opens ? "takes" : "refuses");
	}
}

/* Its like for another of the four registers keeps the event, and with it the event's counters. */
static void test_four_offcore(void)
{
	size_t i;

	machine = (struct plan_machine){ .model = model__find("dmr"), .kernel = KERNEL(7, 3) };
	plan__init(&plan, &machine);
	for (i = 1; i <= 5; i++) {
		plan__add_group(&plan, PLAN_CTX_TASK);
		plan__add_hw(&plan, "ocr", PERF_TYPE_RAW, i < 3 ? 0x01d6 : 0x0120, i);
	}
	run_for(0, 1);
	for (i = 0; i < 5; i++)
		is_percent(i, 80, "dmr: five events, two of them off-core, share four counters");
	plan__init(&plan, &machine);
	for (i = 1; i <= 5; i++) {
		plan__add_group(&plan, PLAN_CTX_TASK);
		plan__add_hw(&plan, "ocr", PERF_TYPE_RAW, 0x012a, i);
	}
	run_for(0, 1);
	for (i = 0; i < 5; i++)
		is_percent(i, 80, "dmr: five values share four registers");
}

static void test_disabled(void)
{
	static const char *const names[] = { "m:u", "n", "z" };
	size_t i;

	machine_of(2, KERNEL(7, 2));
	plan__init(&plan, &machine);
	add(PLAN_CTX_TASK, false, 3, 0);
	for (i = 0; i < 3; i++)
		plan__add_hw(&plan, names[i], PERF_TYPE_RAW, 3, 0);
	is_u64(plan__disable(&plan, "m"), 1, "a name without its modifiers disables the event");
	is_u64(plan__disable(&plan, "z"), 1, "a whole name does, too");
	is_u64(plan__disable(&plan, "x"), 0, "a name that is not there disables none");
	plan.machine.drop_broken = false;
	plan__open(&plan);
	is_u64(plan.events[2].refusal, PLAN_OPENS,
	       "a disabled member does not count for the next one");
	is_u64(plan.events[3].refusal, PLAN_GROUP_FULL,
	       "a disabled member that is opened itself does");

	plan__init(&plan, &machine);
	add(PLAN_CTX_TASK, false, 3, 0);
	for (i = 0; i < 2; i++)
		plan__add_hw(&plan, names[i], PERF_TYPE_RAW, 3, 0);
	plan__disable(&plan, "m");
	run_for(0, 1);
	is_percent(0, 100, "two of three fit beside a disabled one");
	is_percent(2, 100, "the second of them");
	is_str(sim_state__name(sim.events[1].state), "disabled", "the disabled one's state");
	is_u64(sim.events[1].enabled_ns, 0, "the disabled one is never enabled");
}

static void test_absent(void)
{
	machine_of(2, KERNEL(7, 2));
	plan__init(&plan, &machine);
	add(PLAN_CTX_TASK, false, 1, 0);
	add(PLAN_CTX_TASK, false, 1, 0);
	plan.events[0].absent = true;
	run_for(0, 1);
	is_str(sim_state__text(sim.events[0].state), "<not supported>",
	       "an event that was refused here");
	is_percent(1, 100, "leaves its counter to others");
}

int main(void)
{
	test_rest();
	test_exclusive();
	test_lists_left_alone();
	test_northbridge();
	test_offcore();
	test_node_events();
	test_apple_events();
	test_register_values();
	test_four_offcore();
	test_ref_cycles();
	test_rules_of_7_2();
	test_disabled();
	test_absent();
	return done_testing();
}
