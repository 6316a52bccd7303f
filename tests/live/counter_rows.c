// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * --counter-interval: each CPU that any of the counters counts on has a row, be it not the first
 * one's.
 */
#include <string.h>
#include <unistd.h>

#include "run/sample_counters.h"
#include "event/event.h"
#include "live_rings.h"
#include "perf/perf_counters.h"
#include "target/targets.h"
#include "tap.h"

struct rows {
	unsigned int cnt, again; /* of a CPU that had one */
	unsigned int first, second; /* in which that counter has counted */
	bool seen[WIRE_MAX_CPUS];
};

static int on_record(void *ctx, const struct record *rec)
{
	const struct wire_counter *counters = (const void *)(rec->wire + 1);
	struct rows *r = ctx;

	if (rec->kind != RECORD_COUNTERS)
		return 0;
	r->cnt++;
	r->again += r->seen[rec->cpu];
	r->seen[rec->cpu] = true;
	r->first += counters[0].enabled_ns != 0;
	r->second += counters[1].enabled_ns != 0;
	return 0;
}

static struct perf_counters *open_counters(const struct event_list *events, const int *cpus,
					   size_t cnt)
{
	struct perf_counters_config cfg = {
		.events = (const struct event *const *)events->events,
		.event_cnt = events->cnt,
		.cpus = cpus,
		.cpu_cnt = cnt,
		.cgroup_fd = -1,
		.start = COUNTERS_RUNNING,
	};

	return perf_counters__open(&cfg);
}

static void test_rows(struct live_source *src, const int *cpus, size_t cpu_cnt)
{
	struct counter_opts opts = { .interval_ms = 1 };
	struct sample_counters rc;
	struct perf_counters *counters = NULL;
	struct rows r = { 0 };
	char one[16];

	snprintf(one, sizeof(one), "%d", cpus[cpu_cnt / 2]);
	if (!event_list__add(&opts.events, "dummy,page-faults")) {
		/* The events of a memory controller are like that. */
		opts.events.events[0]->cpus = strdup(one);
		counters = open_counters(&opts.events, cpus, cpu_cnt);
	}
	if (ok(counters && !sample_counters__init(&rc, &opts), "a counter of CPU %s, one of all",
	       one)) {
		ok(!sample_counters__begin(&rc, counters, src),
		   "counters of one CPU and of all are read");
		live_source__drain(src, true, on_record, &r);
		is_u64(r.cnt, cpu_cnt, "each CPU has one row of its own");
		is_u64(r.again, 0, "the row of one CPU has the first counter");
		is_u64(r.first, 1, "all rows have the second counter");
		is_u64(r.second, cpu_cnt, "the other in all");
		sample_counters__free(&rc);
	}
	perf_counters__free(counters);
	event_list__free(&opts.events);
}

int main(void)
{
	const struct targets everywhere = { .all_cpus = true };
	struct live_config cfg = { 0 };
	struct live_source *src;
	size_t cpu_cnt;
	int *cpus;

	if (geteuid())
		skip_all("needs root");
	src = live_rings__open(&cfg);
	if (ok(src && !targets__resolve_cpus(&everywhere, &cpus, &cpu_cnt),
	       "live rings open on all CPUs")) {
		test_rows(src, cpus, cpu_cnt);
		free(cpus);
	}
	live_source__free(src);
	return done_testing();
}
