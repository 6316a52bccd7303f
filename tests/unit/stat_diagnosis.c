// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* Why an event of bpfperf stat took turns: derived for counters that were not opened. */
#include <linux/perf_event.h>

#include "stat/table.h"
#include "stat/diagnosis.h"
#include "event/event.h"
#include "event_tree.h"
#include "plan/host.h"
#include "perf/perf_counters_priv.h"
#include "tap.h"

#define EVENTS_MAX 13
#define TURNS "the counters of some_pmu with 1 other event, in turns"
#define FIT "; with --fit CMD is run until each has counted all the time"

/* All tasks on any CPU: one cell. */
static int cpus[] = { -1 };
static pid_t tids[] = { -1 };

struct bench {
	struct event events[EVENTS_MAX], *listed[EVENTS_MAX];
	const struct event *shown[EVENTS_MAX];
	struct evsel sels[EVENTS_MAX];
	struct counter cells[EVENTS_MAX];
	struct counter_count counts[EVENTS_MAX];
	bool in_error[EVENTS_MAX];
	struct perf_counters counters;
	struct event_list list;
	struct stat_table table;
	struct stat_diagnosis why;
};

/* An event that ran half of the time. */
static void add(struct bench *b, enum event_kind kind, const char *name, int group)
{
	size_t i = b->list.cnt++;

	b->events[i] = (struct event){ .kind = kind, .scale = 1, .group = group };
	b->events[i].name = (char *)(uintptr_t)name;
	if (kind == EVENT_PMU)
		b->events[i].pmu = (char *)(uintptr_t) "some_pmu";
	if (kind == EVENT_PMU || kind == EVENT_RAW)
		b->events[i].type = kind == EVENT_RAW ? PERF_TYPE_RAW : 42;
	else
		b->events[i].type = PERF_TYPE_SOFTWARE;
	b->listed[i] = &b->events[i];
	b->shown[i] = &b->events[i];
	b->counts[i] = (struct counter_count){ 7, 2000000000, 1000000000 };
	b->sels[i] = (struct evsel){
		.ev = &b->events[i], .cpus = cpus, .cpu_cnt = 1, .tids = tids, .tid_cnt = 1
	};
	b->cells[i] = (struct counter){ .counts = &b->counts[i], .in_error = &b->in_error[i] };
	b->list.events = b->listed;
	b->counters = (struct perf_counters){ .set = { .events = b->sels, .cnt = b->list.cnt },
					      .counters = b->cells };
}

static void count(struct bench *b)
{
	const struct stat_times times = { 1000000000, 0, 0 };

	if (!b->table.rows)
		stat_table__init(&b->table, &b->list, NULL, &b->counters, STAT_TOGETHER, 0);
	else
		stat_table__restart(&b->table);
	stat_table__take(&b->table, &b->counters, &times);
	stat_table__finish(&b->table, false);
}

static void explain(struct bench *b, bool may_fit)
{
	const struct stat_how how = { .has_begun = true, .may_fit = may_fit };

	count(b);
	stat_diagnosis__fill(&b->why, &b->table, &b->counters, b->shown, b->list.cnt, &how);
}

static void end(struct bench *b)
{
	stat_diagnosis__free(&b->why);
	stat_table__free(&b->table);
	memset(b, 0, sizeof(*b));
}

static void test_groups(struct bench *b)
{
	add(b, EVENT_SOFTWARE, "faults", 0);
	add(b, EVENT_PMU, "some_pmu/a/", 0);
	add(b, EVENT_PMU, "some_pmu/b/", 0);
	add(b, EVENT_PMU, "some_pmu/c/", -1);
	explain(b, true);
	is_str(b->table.rows[0].why, "its group of 3 shares " TURNS FIT,
	       "a software event waits for the counters of its group");
	is_str(b->table.rows[1].why, "its group of 3 shares " TURNS FIT,
	       "a group's software events compete with no other event");
	is_str(b->table.rows[3].why,
	       "it shares the counters of some_pmu with 2 other events, in turns" FIT,
	       "events that are alone have no rivals");
	explain(b, false);
	is_str(b->table.rows[3].why,
	       "it shares the counters of some_pmu with 2 other events, in turns",
	       "--fit is recommended where it may be given");
	end(b);

	add(b, EVENT_PMU, "some_pmu/a/", 0);
	add(b, EVENT_PMU, "some_pmu/b/", 0);
	explain(b, true);
	is_str(b->table.rows[0].why, "another user of perf holds counters of some_pmu",
	       "a group is no rival of its own");
	b->cells[0].refusal.ungrouped = b->cells[1].refusal.ungrouped = true;
	explain(b, true);
	is_str(b->table.rows[0].why, "it shares " TURNS FIT, "a group with W that was split is");
	end(b);
}

/* A refused event was closed, so it is in no other event's way. */
static void test_refused(struct bench *b)
{
	static const char *const names[] = { "r1b0", "r2b0", "r3b0", "r4b0", "r5b0", "r6b0",
					     "r7b0", "r8b0", "r9b0", "rab0", "rbb0" };
	char pmus[64], cpuinfo[64];
	size_t i;

	if (!ok(mkdtemp(tree) != NULL, "a directory for the tree is made"))
		return;
	atexit(tree_remove);
	snprintf(pmus, sizeof(pmus), "%s/pmu", tree);
	snprintf(cpuinfo, sizeof(cpuinfo), "%s/cpuinfo", tree);
	tree_file("4\n", "pmu/cpu/type");
	tree_file("vendor_id\t: GenuineIntel\ncpu family\t: 6\nmodel\t\t: 94\n", "cpuinfo");
	pmu__set_sysfs(pmus);
	host__set_cpuinfo(cpuinfo);
	add(b, EVENT_RAW, "refused", -1);
	b->events[0].config = 0xcb0;
	b->events[0].pinned = true;
	b->cells[0].refusal = (struct counter_refusal){ .state = COUNTER_REFUSED, .err = -22 };
	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		add(b, EVENT_RAW, names[i], -1);
		b->events[i + 1].config = 0xb0 + ((i + 1) << 8);
	}
	explain(b, false);
	ok(strstr(b->table.rows[1].why, " can count it, and r") != NULL,
	   "the holder of the counters is named");
	if (!ok(strstr(b->table.rows[1].why, "refused") == NULL,
		"a refused event holds no counter"))
		diag("%s", b->table.rows[1].why);
	host__set_cpuinfo(NULL);
	end(b);
}

/*
 * --fit: what counts in the second run is opened then, and only then known to be without the
 * kernel.
 */
static void test_user_only(struct bench *b)
{
	add(b, EVENT_PMU, "some_pmu/a/", -1);
	add(b, EVENT_PMU, "some_pmu/b/", -1);
	add(b, EVENT_SOFTWARE, "faults", -1);
	b->cells[0].refusal.user_only = true;
	b->cells[1].refusal.state = COUNTER_SKIPPED;
	count(b);
	is_str(b->table.rows[0].name, "some_pmu/a/:u", "without the kernel: in the first run");
	b->cells[0].refusal = (struct counter_refusal){ .state = COUNTER_SKIPPED };
	b->cells[1].refusal = (struct counter_refusal){ .user_only = true };
	count(b);
	is_str(b->table.rows[0].name, "some_pmu/a/:u", "the event keeps its name");
	is_str(b->table.rows[1].name, "some_pmu/b/:u", "the event is retried in the second run");
	is_str(b->table.rows[2].name, "faults", "an event that may count the kernel keeps it");
	end(b);
}

int main(void)
{
	static struct bench b;

	test_groups(&b);
	test_refused(&b);
	test_user_only(&b);
	return done_testing();
}
