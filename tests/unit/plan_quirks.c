// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * Notes on the faults of kernels: each appears where it can change a number, and in no case beside
 * it that differs by the one thing that matters.
 */
#include <unistd.h>

#include "tap.h"

#include "event/event.h"
#include "event/pfm.h"
#include "plan/model_choice.h"
#include "plan/plan.h"
#include "plan/quirks.h"
#include "plan/simulate.h"

#define NOTES_MAX 16

struct row {
	const char *note; /* a part of the sentence */
	bool there;
	const char *pmu;
	const char *kernel;
	bool ht;
	const char *events;
	const char *why; /* what decides */
};

/* Five events on four counters take turns; two do not. */
#define TURNS "r1b0,r2b0,r3b0,r4b0,r5b0"
#define FITS "r1b0,r2b0"
/* The first group never fits beside the pinned event, the second does while it is first. */
#define FIRST_STUCK "r148,r1b0,l1d_pend_miss.pending:D"
#define OFFCORE "cpu/event=0xb7,umask=1,offcore_rsp=0x10001/"

static const struct row rows[] = {
	{ "refuse a software event", true, "skl", "4.17", true, "{faults,cycles,faults}",
	  "software leads, hardware is in it" },
	{ "refuse a software event", false, "skl", "4.17", true, "{cycles,faults,faults}",
	  "hardware leads" },
	{ "refuse a software event", false, "skl", "4.17", true, "{faults,faults,cycles}",
	  "software comes before hardware" },
	{ "refuse a software event", false, "skl", "4.18-rc1", true, "{faults,cycles,faults}",
	  "the kernel is fixed" },

	{ "to put a pinned group before", true, "skl", "4.12", true, "{r1b0,r2b0}:D,r4b0",
	  "a pinned group and a flexible one" },
	{ "to put a pinned group before", false, "skl", "4.12", true, "{r1b0,r2b0}:D",
	  "nothing flexible" },
	{ "to put a pinned group before", false, "skl", "4.12", true, "r1b0:D,r4b0",
	  "the pinned group has no members" },
	{ "to put a pinned group before", false, "skl", "4.12", true, "{faults,cs}:D,r4b0",
	  "the pinned group needs no counter" },
	{ "to put a pinned group before", false, "skl", "4.13-rc2", true, "{r1b0,r2b0}:D,r4b0",
	  "the kernel is fixed" },
	{ "to put a pinned group before", false, "skl", "4.10", true, "{r1b0,r2b0}:D,r4b0",
	  "the kernel does not have it yet" },

	{ "may report 0% of the time", true, "skl", "4.5", true, TURNS, "turns" },
	{ "may report 0% of the time", false, "skl", "4.5", true, FITS, "no turns" },
	{ "may report 0% of the time", false, "snb", "4.5", true,
	  "l1d_pend_miss.pending,cycle_activity.stalls_l1d_pending:D",
	  "an event that never has a counter takes no turns" },
	{ "may report 0% of the time", false, "skl", "4.6-rc2", true, TURNS,
	  "the kernel is fixed" },

	{ "do not rotate a list whose first", true, "snb", "5.2", true, FIRST_STUCK,
	  "the first group cannot be placed" },
	{ "do not rotate a list whose first", false, "skl", "5.2", true, TURNS,
	  "the first group is placed" },
	{ "do not rotate a list whose first", false, "snb", "5.2", true,
	  "r148,l1d_pend_miss.pending:D", "no group waits behind it" },
	{ "do not rotate a list whose first", false, "snb", "5.4-rc3", true, FIRST_STUCK,
	  "the kernel is fixed" },
	{ "do not rotate a list whose first", false, "snb", "4.16", true, FIRST_STUCK,
	  "the kernel does not have it yet" },

	{ "narrow the counters of off-core", true, "snb", "4.0", false, OFFCORE,
	  "an off-core event" },
	{ "narrow the counters of off-core", false, "snb", "4.0", false, FITS, "none" },
	{ "narrow the counters of off-core", false, "snb", "4.1-rc1", false, OFFCORE,
	  "the kernel is fixed" },

	{ "at the scheduler's tick", true, "snb", "3.10", true, TURNS, "turns" },
	{ "at the scheduler's tick", false, "snb", "3.10", true, FITS, "no turns" },
	{ "at the scheduler's tick", false, "snb", "3.11-rc1", true, TURNS,
	  "the kernel has a timer" },

	{ "no workaround for the HT erratum", true, "snb", "3.10", true, "r81d0",
	  "an event of it" },
	{ "no workaround for the HT erratum", true, "ivb", "3.9", true, "r81d0", "an event of it" },
	{ "no workaround for the HT erratum", false, "ivb", "3.10", true, "r81d0,r1b0",
	  "the event is refused" },
	{ "no workaround for the HT erratum", false, "ivb", "4.0", true, "r81d0,r1b0",
	  "the event is refused" },
	{ "no workaround for the HT erratum", false, "snb", "3.10", false, "r81d0",
	  "no other thread" },
	{ "no workaround for the HT erratum", false, "bdw", "3.10", true, "r81d0", "no erratum" },
	{ "no workaround for the HT erratum", false, "snb", "3.10", true, FITS, "no event of it" },
	{ "no workaround for the HT erratum", false, "snb", "4.1-rc1", true, "r81d0",
	  "the kernel has one" },

	{ "this thread cannot use that counter", true, "hsw", "5.3", true, FITS,
	  "general counters" },
	{ "this thread cannot use that counter", false, "hsw", "5.3", true, "cycles,instructions",
	  "fixed counters will do" },
	{ "this thread cannot use that counter", false, "hsw", "5.3", true, "faults",
	  "no counter is needed" },
	{ "this thread cannot use that counter", false, "hsw", "5.3", false, FITS,
	  "no other thread" },
	{ "this thread cannot use that counter", false, "bdw", "5.3", true, FITS, "no erratum" },
	{ "this thread cannot use that counter", false, "hsw", "4.0", true, FITS,
	  "the kernel does nothing" },

	{ "--amd-brs off", true, "fam15h", "6.1", false, "r2e", "an event with a constraint" },
	{ "--amd-brs off", false, "fam15h", "6.0", false, "r2e", "this kernel asks the family" },
	{ "--amd-brs off", false, "fam15h", "6.1", false, "faults", "no counter is needed" },
	{ "--amd-brs off", false, "zen2", "6.1", false, "r03", "another family" },
};

static bool is_noted(const struct row *row, const struct plan *plan, const struct sim *sim)
{
	const char *notes[NOTES_MAX];
	size_t cnt = quirks__notes(plan, &sim->seen, notes, NOTES_MAX), i;

	for (i = 0; i < cnt; i++)
		if (strstr(notes[i], row->note))
			return true;
	return false;
}

static void check(const struct row *row)
{
	struct plan_machine machine = { .model = model__find(row->pmu),
					.watchdog_counter = -1,
					.ht = row->ht };
	const struct sim_run run = { .busy = 1 };
	struct event_list list = { 0 };
	static struct plan plan;
	static struct sim sim;

	pfm__use_pmus(machine.model->pfm);
	if (!ok(!kernel__parse(row->kernel, &machine.kernel) &&
			!event_list__add(&list, row->events),
		"%s: %s", row->pmu, row->events))
		return;
	plan__init(&plan, &machine);
	plan__add_list(&plan, &list, PLAN_CTX_TASK);
	plan__open(&plan);
	sim__run(&sim, &plan, &run);
	ok(is_noted(row, &plan, &sim) == row->there, "\"%s\" is %s: %s %s, %s", row->note,
	   row->there ? "noted" : "not noted", row->pmu, row->kernel, row->why);
	event_list__free(&list);
}

/* A sibling that is known needs no note about it. */
static void test_known_sibling(void)
{
	struct plan_machine machine = { .model = model__find("hsw"),
					.kernel = KERNEL(5, 3),
					.watchdog_counter = -1,
					.ht = true,
					.sibling_corrupting = 1 };
	const struct quirks_seen seen = { 0 };
	const char *notes[NOTES_MAX];
	static struct plan plan;

	plan__init(&plan, &machine);
	plan__add_group(&plan, PLAN_CTX_TASK);
	plan__add_hw(&plan, "r1b0", 4, 0x1b0, 0);
	plan__open(&plan);
	is_u64(quirks__notes(&plan, &seen, notes, NOTES_MAX), 0,
	       "what the other thread counts is given: no note says that it might");
}

int main(void)
{
	size_t i;

	model_choice__use_names(model__find("skl"));
	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		check(&rows[i]);
	test_known_sibling();
	return done_testing();
}
