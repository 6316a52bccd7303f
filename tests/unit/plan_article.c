// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * The commands of the article on perf's event scheduling algorithm, on each family, with and
 * without hyper-threading: what each event gets is what the article says. Each row names the
 * paragraph by the words it begins with.
 */
#include <errno.h>
#include <unistd.h>

#include "tap.h"

#include "event/event.h"
#include "plan/model_choice.h"
#include "plan/plan.h"
#include "plan/quirks.h"
#include "plan/regroup.h"
#include "plan/simulate.h"
#include "util/strbuf.h"

/* The article's commands. */
#define L1D_OLD "l1d_pend_miss.pending,cycle_activity.stalls_l1d_pending"
#define L1D_NEW "l1d_pend_miss.pending,cycle_activity.stalls_l1d_miss"
#define MIXED_OLD                                                                                  \
	"{l1d_pend_miss.pending,faults},cycle_activity.stalls_l1d_pending:D,"                      \
	"mem_uops_retired.all_loads"
#define MIXED_NEW                                                                                  \
	"{l1d_pend_miss.pending,faults},cycle_activity.stalls_l1d_miss:D,"                         \
	"mem_inst_retired.all_loads"
#define LOADS3_OLD                                                                                 \
	"mem_load_uops_retired.l1_hit,mem_load_uops_retired.l1_miss,mem_load_uops_retired.l2_hit"
#define LOADS3_NEW "mem_load_retired.l1_hit,mem_load_retired.l1_miss,mem_load_retired.l2_hit"
#define LOADS5_OLD                                                                                 \
	"mem_load_uops_retired.l1_hit,mem_load_uops_retired.l1_miss,"                              \
	"mem_load_uops_retired.hit_lfb,mem_load_uops_retired.l2_hit,mem_load_uops_retired.l3_hit"
#define LOADS5_NEW                                                                                 \
	"mem_load_retired.l1_hit,mem_load_retired.l1_miss,mem_load_retired.fb_hit,"                \
	"mem_load_retired.l2_hit,mem_load_retired.l3_hit"
#define WALKS                                                                                      \
	"dtlb_load_misses.walk_completed,dtlb_load_misses.walk_completed_4k,"                      \
	"dtlb_store_misses.walk_completed,dtlb_store_misses.walk_completed_4k,"                    \
	"itlb_misses.walk_completed,itlb_misses.walk_completed_4k"
#define BY_WEIGHT                                                                                  \
	"{mem_load_uops_retired.l1_hit,mem_load_uops_retired.l1_miss,"                             \
	"mem_load_uops_retired.l2_hit,l1d_pend_miss.pending}"

#define OLD "snb ivb hsw bdw"
#define ERRATUM "snb ivb hsw"
#define NEW "skl icl"

enum { HT_OFF = 1, HT_ON = 2, HT_BOTH = 3 };
enum { WD_OFF = 1, WD_ON = 2, WD_BOTH = 3 };

struct row {
	const char *paragraph;
	const char *pmus;
	unsigned int ht, watchdog; /* each of those that are set */
	const char *kernels;
	const char *events;
	/*
	 * For each event: its percentage; "-": <not counted> without one, its group being broken;
	 * "error": pinned, in error state; "ns": <not supported>. "0!": it counts and reads 0.
	 */
	const char *want;
	int watchdog_counter; /* one more than it; 0: where the kernel puts it */
	unsigned int sibling; /* counters with corrupting events on the other thread */
	bool tfa;
	bool sleeps; /* the task is sleep 1 */
	bool changes; /* a run of a second; the sibling is idle from its half on */
};

static const struct row rows[] = {
	{ "On SnB, IvB, HSW, and BDW, the most likely output is", OLD, HT_BOTH, WD_BOTH,
	  "4.4 5.3 6.12", L1D_OLD, "50 50", 0, 0, false, false, false },
	{ "If the NMI watchdog somehow ended up using the third GP counter", OLD, HT_BOTH, WD_ON,
	  "4.4 5.3 6.12", L1D_OLD, "0 0", 3, 0, false, false, false },
	{ "Another possible output: an active corrupting event on the sibling third GP counter",
	  ERRATUM, HT_ON, WD_BOTH, "4.1-rc1 4.4 5.3", L1D_OLD, "0 0", 0, 0x4, false, false, false },
	{ "If the state of the corrupting event dynamically changed ... may not add up to 100%",
	  ERRATUM, HT_ON, WD_BOTH, "4.1-rc1 4.4 5.3", L1D_OLD, "24.8 25.2", 0, 0x4, false, false,
	  true },
	{ "... which needs a sibling", ERRATUM, HT_OFF, WD_BOTH, "4.4 5.3", L1D_OLD, "50 50", 0,
	  0x4, false, false, false },
	{ "... a kernel that does something about it", ERRATUM, HT_ON, WD_BOTH, "3.9 4.0", L1D_OLD,
	  "50 50", 0, 0x4, false, false, false },
	{ "... and a processor that has the erratum", "bdw", HT_ON, WD_BOTH, "4.4 5.3", L1D_OLD,
	  "50 50", 0, 0x4, false, false, false },
	{ "On Skylake and later processors there is no situation where multiplexing would occur",
	  NEW, HT_BOTH, WD_BOTH, "4.4 5.3 6.12", L1D_NEW, "100 100", 0, 0, false, false, false },
	{ "Even with the TFA bug and with the NMI interrupt possibly occupying a GP counter", "skl",
	  HT_BOTH, WD_ON, "5.1 5.3 6.12", L1D_NEW, "100 100", 1, 0, true, false, false },

	{ "This causes the scheduler to always prioritize the second event", OLD, HT_BOTH, WD_BOTH,
	  "4.4 5.3 6.12", L1D_OLD ":D", "0 100", 0, 0, false, false, false },
	{ "This doesn't make a difference on Skylake and later", NEW, HT_BOTH, WD_BOTH,
	  "4.4 5.3 6.12", L1D_NEW ":D", "100 100", 0, 0, false, false, false },

	{ "One possible output on pre-Skylake could be", OLD, HT_BOTH, WD_BOTH, "4.2 4.4 5.3 6.12",
	  MIXED_OLD, "0 0 100 50", 0, 0, false, false, false },
	{ "In 3.10-rc1 up to 4.1-rc1, on Ivy Bridge, mem_uops_retired.all_loads is blacklisted",
	  "ivb", HT_BOTH, WD_BOTH, "3.10-rc1 3.10 4.0", MIXED_OLD, "0 0 100 ns", 0, 0, false, false,
	  false },
	{ "... on Ivy Bridge alone, and not before", "snb hsw", HT_BOTH, WD_BOTH, "3.9 3.10 4.0",
	  MIXED_OLD, "0 0 100 50", 0, 0, false, false, false },
	{ "... on Ivy Bridge alone, and not before", "ivb", HT_BOTH, WD_BOTH, "3.9", MIXED_OLD,
	  "0 0 100 50", 0, 0, false, false, false },
	{ "In 4.1-rc1 up to 4.1-rc7 there is a limit on the total number of counters: "
	  "if the NMI watchdog is enabled",
	  ERRATUM, HT_ON, WD_ON, "4.1-rc1 4.1-rc6", MIXED_OLD, "0 0 100 0", 0, 0, false, false,
	  false },
	{ "... and if it is not", ERRATUM, HT_ON, WD_OFF, "4.1-rc1 4.1-rc6", MIXED_OLD,
	  "0 0 100 50", 0, 0, false, false, false },
	{ "... and without hyper-threading", ERRATUM, HT_OFF, WD_BOTH, "4.1-rc1 4.1-rc6", MIXED_OLD,
	  "0 0 100 50", 0, 0, false, false, false },
	{ "In 4.1-rc7 and later, the HT bug may also affect scheduling depending on the sibling",
	  ERRATUM, HT_ON, WD_BOTH, "4.1 5.3", MIXED_OLD, "0 0 error 50", 0, 0x4, false, false,
	  false },
	{ "On Skylake and later, there will probably be no multiplexing", NEW, HT_BOTH, WD_BOTH,
	  "4.4 5.3 6.12", MIXED_NEW, "100 100 100 100", 0, 0, false, false, false },
	{ "Before 4.7-rc7 mem_uops_retired.all_loads might end up on one of the top 4 GP counters",
	  "skl", HT_OFF, WD_BOTH, "4.6 4.7-rc6",
	  "{l1d_pend_miss.pending,faults},cycle_activity.stalls_l1d_miss:D,r1b0,r2b0,"
	  "mem_inst_retired.all_loads",
	  "100 100 100 100 100 0!", 0, 0, false, false, false },
	{ "... and from then on does not", "skl", HT_OFF, WD_BOTH, "4.7-rc7 5.3",
	  "{l1d_pend_miss.pending,faults},cycle_activity.stalls_l1d_miss:D,r1b0,r2b0,"
	  "mem_inst_retired.all_loads",
	  "100 100 100 100 100 100", 0, 0, false, false, false },

	{ "This occurs in 4.1-rc7 and later when hyperthreading is enabled", ERRATUM, HT_ON,
	  WD_BOTH, "4.1-rc7 4.4 5.3 6.12", LOADS3_OLD, "66.67 66.67 66.67", 0, 0, false, false,
	  false },
	{ "If hyperthreading is disabled, there will be no multiplexing", ERRATUM, HT_OFF, WD_BOTH,
	  "4.1-rc7 4.4 5.3 6.12", LOADS3_OLD, "100 100 100", 0, 0, false, false, false },
	{ "(the erratum is of Sandy Bridge, Ivy Bridge and Haswell)", "bdw", HT_BOTH, WD_BOTH,
	  "4.1 4.4 5.3 6.12", LOADS3_OLD, "100 100 100", 0, 0, false, false, false },
	{ "On Skylake and later, the most probable output is no multiplexing", NEW, HT_BOTH,
	  WD_BOTH, "4.4 5.3 6.12", LOADS3_NEW, "100 100 100", 0, 0, false, false, false },

	{ "Ordering the events according to their weight", "hsw", HT_OFF, WD_BOTH, "4.4 5.3 6.12",
	  BY_WEIGHT, "100 100 100 100", 0, 0, false, false, false },
	{ "If the events were not ordered according to their constraints weight", "hsw", HT_OFF,
	  WD_BOTH, "2.6.33", BY_WEIGHT, "- - - ns", 0, 0, false, false, false },

	{ "One possible output on pre-Skylake is the following: 40%", ERRATUM, HT_ON, WD_BOTH,
	  "4.1 4.4 5.3 6.12", LOADS5_OLD, "40 40 40 40 40", 0, 0, false, false, false },
	{ "All of the events are constrained to the bottom 4 counters", "bdw", HT_BOTH, WD_BOTH,
	  "4.7 5.3 6.12", LOADS5_OLD, "80 80 80 80 80", 0, 0, false, false, false },
	{ "On Skylake and later, the most probable output is the following: 80%", NEW, HT_BOTH,
	  WD_BOTH, "4.7-rc7 5.0 5.3 6.12", LOADS5_NEW, "80 80 80 80 80", 0, 0, false, false,
	  false },
	{ "But if you use a kernel version older than 4.7-rc7 with hyperthreading disabled", "skl",
	  HT_OFF, WD_BOTH, "4.4 4.6 4.7-rc6", LOADS5_NEW, "100 100 100 100 0!", 0, 0, false, false,
	  false },
	{ "... with it enabled there are 4", "skl", HT_ON, WD_BOTH, "4.4 4.6 4.7-rc6", LOADS5_NEW,
	  "80 80 80 80 80", 0, 0, false, false, false },
	{ "Also, starting with 5.1-rc1, the TFA bug", "skl", HT_BOTH, WD_BOTH, "5.1-rc1 5.3 6.12",
	  LOADS5_NEW, "60 60 60 60 60", 0, 0, true, false, false },
	{ "... and not before", "skl", HT_BOTH, WD_BOTH, "5.0", LOADS5_NEW, "80 80 80 80 80", 0, 0,
	  true, false, false },

	{ "On Sunny Cove, each of these events can only be measured on the bottom 4 GP counters",
	  "icl", HT_BOTH, WD_BOTH, "5.3 6.12", WALKS, "66.67 66.67 66.67 66.67 66.67 66.67", 0, 0,
	  false, false, false },
	{ "In contrast, on earlier microarchitectures, when hyperthreading is disabled",
	  "hsw bdw skl", HT_OFF, WD_BOTH, "4.4 5.3 6.12", WALKS, "100 100 100 100 100 100", 0, 0,
	  false, false, false },
	{ "... and with hyperthreading there are 4 counters for 6 events", "hsw bdw skl", HT_ON,
	  WD_BOTH, "4.4 5.3 6.12", WALKS, "66.67 66.67 66.67 66.67 66.67 66.67", 0, 0, false, false,
	  false },

	/*
	 * The article says "if hyperthreading is disabled", and as its reason that there are only 4
	 * GP counters: which is so with hyper-threading, or on Sunny Cove.
	 */
	{ "The next two are <not supported>: only 4 GP counters available", "hsw bdw skl", HT_ON,
	  WD_BOTH, "4.4 5.3 6.12", "{" WALKS "}", "- - - - ns ns", 0, 0, false, false, false },
	{ "The next two are <not supported>: only 4 GP counters available", "icl", HT_BOTH, WD_BOTH,
	  "5.3 6.12", "{" WALKS "}", "- - - - ns ns", 0, 0, false, false, false },
	{ "... with 8 they fit", "hsw bdw skl", HT_OFF, WD_BOTH, "4.4 5.3 6.12", "{" WALKS "}",
	  "100 100 100 100 100 100", 0, 0, false, false, false },

	{ "On systems where multiplexing occurs: sleep 1", "hsw bdw skl", HT_ON, WD_BOTH,
	  "4.4 5.3 6.12", "instructions," WALKS, "100 100 100 100 100 0 0", 0, 0, false, true,
	  false },
	{ "On systems where multiplexing occurs: sleep 1", "icl", HT_BOTH, WD_BOTH, "5.3 6.12",
	  "instructions," WALKS, "100 100 100 100 100 0 0", 0, 0, false, true, false },
	{ "... and where it does not", "hsw bdw skl", HT_OFF, WD_BOTH, "4.4 5.3 6.12",
	  "instructions," WALKS, "100 100 100 100 100 100 100", 0, 0, false, true, false },

	/* The algorithm's own paragraphs. */
	{ "Group validation: steps 3 and 5 are not performed", ERRATUM, HT_ON, WD_BOTH, "4.1 5.3",
	  "{" LOADS3_OLD "}", "0 0 0", 0, 0, false, false, false },
	{ "Before 4.3-rc4, on Broadwell, all the events 0xA3", "bdw", HT_BOTH, WD_BOTH,
	  "4.2 4.3-rc3", "r1a3,r2a3", "50 50", 0, 0, false, false, false },
	{ "... only necessary for the umask 0x08", "bdw", HT_BOTH, WD_BOTH, "4.3-rc4 5.3",
	  "r1a3,r2a3", "100 100", 0, 0, false, false, false },
	{ "Before 4.0-rc7, on Haswell, all the events 0xA3", "hsw", HT_BOTH, WD_BOTH,
	  "3.16 4.0-rc6", "r1a3,r2a3", "50 50", 0, 0, false, false, false },
	{ "... only necessary for some umasks", "hsw", HT_BOTH, WD_BOTH, "4.0-rc7 4.0", "r1a3,r2a3",
	  "100 100", 0, 0, false, false, false },
	{ "FP counters are preferred over GP counters starting with 3.3-rc1", "snb", HT_ON, WD_OFF,
	  "3.3-rc1 3.9", "{instructions,instructions,cycles,cycles,cycles,cycles}",
	  "100 100 100 100 100 100", 0, 0, false, false, false },
	{ "In older kernels multiplexing unnecessarily", "snb", HT_ON, WD_OFF, "3.2",
	  "{instructions,instructions,cycles,cycles,cycles,cycles}", "- - - - - ns", 0, 0, false,
	  false, false },
	{ "An off-core response event requires one GP counter and one MSR register", "skl", HT_BOTH,
	  WD_BOTH, "5.3 6.12",
	  "cpu/event=0xb7,umask=1,offcore_rsp=0x10001/,cpu/event=0xb7,umask=1,offcore_rsp=0x10002/,"
	  "cpu/event=0xb7,umask=1,offcore_rsp=0x10004/",
	  "66.67 66.67 66.67", 0, 0, false, false, false },
	{ "The watchdog's counter is unavailable to a group that passed its check without it",
	  "skl", HT_ON, WD_ON, "5.3 6.12", "{cycles,r1b0,r2b0,r3b0,r4b0}", "0 0 0 0 0", 0, 0, false,
	  false, false },
	{ "... which it does not take once it is off", "skl", HT_ON, WD_OFF, "5.3 6.12",
	  "{cycles,r1b0,r2b0,r3b0,r4b0}", "100 100 100 100 100", 0, 0, false, false, false },
	{ "Pinned groups that could not be scheduled go into the error state", OLD, HT_BOTH,
	  WD_BOTH, "4.4 5.3 6.12", "l1d_pend_miss.pending:D,cycle_activity.stalls_l1d_pending:D",
	  "100 error", 0, 0, false, false, false },
	{ "... and later pinned groups are tried", OLD, HT_BOTH, WD_BOTH, "4.4 5.3",
	  "l1d_pend_miss.pending:D,cycle_activity.stalls_l1d_pending:D,r1b0:D", "100 error 100", 0,
	  0, false, false, false },
	{ "... but from 5.6 on are not (merge_sched_in() of the kernel)", OLD, HT_BOTH, WD_BOTH,
	  "5.6 6.12", "l1d_pend_miss.pending:D,cycle_activity.stalls_l1d_pending:D,r1b0:D",
	  "100 error error", 0, 0, false, false, false },
	{ "Groups with only software events are always scheduled successfully", OLD, HT_BOTH,
	  WD_BOTH, "4.4 5.3 6.12", L1D_OLD ",faults,{task-clock,cs}", "50 50 100 100 100", 0, 0,
	  false, false, false },
};

/* Percentages and states as the rows have them. */
static void put_got(const struct plan *plan, const struct sim *sim, struct strbuf *out)
{
	size_t i;

	for (i = 0; i < plan->event_cnt; i++) {
		const struct sim_event *se = &sim->events[i];

		if (plan->events[i].is_watchdog)
			continue;
		if (out->len)
			strbuf__putc(out, ' ');
		if (se->state == SIM_NOT_SUPPORTED)
			strbuf__puts(out, "ns");
		else if (se->state == SIM_GROUP_BROKEN)
			strbuf__puts(out, "-");
		else if (se->state == SIM_PINNED_ERROR)
			strbuf__puts(out, "error");
		else if (se->zero_ns)
			strbuf__puts(out, "0!");
		else
			strbuf__printf(out, "%.4g", sim_event__percent(se));
	}
}

/* A regrouping is one where nothing takes turns: each run, simulated, counts all of it. */
static bool runs_hold(const struct plan_machine *machine, const struct plan *whole)
{
	static struct regroup re;
	static struct plan plan;
	static struct sim sim;
	struct sim_run run = { .busy = 1 };
	size_t i, r;

	regroup__find(&re, whole);
	for (r = 0; r < re.run_cnt; r++) {
		plan__init(&plan, machine);
		for (i = 0; i < whole->event_cnt; i++) {
			if (whole->events[i].is_watchdog || re.run[i] != r)
				continue;
			plan__add_group(&plan, PLAN_CTX_TASK);
			plan__add_sw(&plan, whole->events[i].name);
			plan.events[plan.event_cnt - 1] = whole->events[i];
			plan.events[plan.event_cnt - 1].group = (int)plan.group_cnt - 1;
		}
		plan__open(&plan);
		sim__run(&sim, &plan, &run);
		for (i = 0; i < plan.event_cnt; i++)
			if (sim.events[i].state != SIM_COUNTED || sim.events[i].zero_ns)
				return false;
	}
	return true;
}

static void check(const struct row *row, const struct plan_machine *machine, const char *kernel)
{
	struct sim_run run = { .busy = 1 };
	struct event_list list = { 0 };
	struct strbuf got = STRBUF_INIT;
	static struct plan plan;
	static struct sim sim;

	if (row->changes)
		run = (struct sim_run){ .run_ns = 1000000000,
					.busy = 1,
					.sibling_idle_ns = 500000000 };
	if (row->sleeps)
		run = (struct sim_run){ .run_ns = 1000000000, .busy = 0 };
	model_choice__use_names(machine->model);
	if (!ok(!event_list__add(&list, row->events), "%s: %s", machine->model->name, row->events))
		return;
	plan__init(&plan, machine);
	plan__add_list(&plan, &list, PLAN_CTX_TASK);
	plan__open(&plan);
	sim__run(&sim, &plan, &run);
	put_got(&plan, &sim, &got);
	is_str(strbuf__cstr(&got), row->want, "%s: %s %s, HT %s, watchdog %s", row->paragraph,
	       machine->model->name, kernel, machine->ht ? "on" : "off",
	       machine->watchdog ? "on" : "off");
	ok(runs_hold(machine, &plan), "regrouped events take no turns");
	strbuf__free(&got);
	event_list__free(&list);
}

static void check_machines(const struct row *row, const char *pmu, const char *kernel)
{
	struct plan_machine machine = { .model = model__find(pmu),
					.watchdog_counter = row->watchdog_counter - 1,
					.sibling_corrupting = row->sibling,
					.tfa = row->tfa };
	int ht, watchdog;

	if (!ok(machine.model && !kernel__parse(kernel, &machine.kernel), "%s, kernel %s", pmu,
		kernel))
		return;
	for (ht = 0; ht < 2; ht++)
		for (watchdog = 0; watchdog < 2; watchdog++) {
			machine.ht = ht;
			machine.watchdog = watchdog;
			if (row->ht & (1u << ht) && row->watchdog & (1u << watchdog))
				check(row, &machine, kernel);
		}
}

/* Each word of pmus with each of kernels. */
static void check_row(const struct row *row)
{
	char pmus[64], kernels[64], *pmu, *kernel, *p, *k;

	snprintf(pmus, sizeof(pmus), "%s", row->pmus);
	for (p = pmus; (pmu = strsep(&p, " "));) {
		snprintf(kernels, sizeof(kernels), "%s", row->kernels);
		for (k = kernels; (kernel = strsep(&k, " "));)
			check_machines(row, pmu, kernel);
	}
}

int main(void)
{
	size_t i;

	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		check_row(&rows[i]);
	return done_testing();
}
