// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "perf/cpu_watch.h"

#include <linux/perf_event.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "perf/perf_fd.h"
#include "util/log.h"

#define SEC_NS 1000000000ull
/* The watches are opened and read one after the other, and their clocks are the CPUs' own. */
#define SLACK_NS 20000000
/* All watches are behind another clock by this, and by a hundredth, if all CPUs were offline. */
#define ALL_SLACK_NS 100000000

/* The layout that read(2) of a watch has. */
struct watched {
	uint64_t value, enabled_ns;
};

/*
 * A clock that, as those of the watches, is neither set nor slewed, and goes on while all watched
 * CPUs are offline.
 */
static uint64_t raw_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC_RAW, &ts);
	return (uint64_t)ts.tv_sec * SEC_NS + (uint64_t)ts.tv_nsec;
}

void cpu_watch__open(struct cpu_watch *w, const int *cpus, size_t cnt)
{
	size_t i;

	*w = (struct cpu_watch){ .cpus = calloc(cnt, sizeof(int)),
				 .fds = calloc(cnt, sizeof(int)) };
	if (!w->cpus || !w->fds) {
		cpu_watch__close(w);
		return;
	}
	memcpy(w->cpus, cpus, cnt * sizeof(*cpus));
	for (i = 0; i < cnt; i++) {
		struct perf_event_attr attr = {
			.size = sizeof(attr),
			.type = PERF_TYPE_SOFTWARE,
			.config = PERF_COUNT_SW_DUMMY,
			.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED,
		};

		w->fds[i] = perf_fd__open(&attr, -1, cpus[i], -1, 0);
	}
	w->cnt = cnt;
	w->begin_ns = raw_ns();
}

/* Reads the time for which a watch was on its CPU, 0 if it cannot be read. */
static uint64_t enabled_ns(const struct cpu_watch *w, size_t i)
{
	struct watched seen;

	return w->fds[i] >= 0 && read(w->fds[i], &seen, sizeof(seen)) == sizeof(seen)
		       ? seen.enabled_ns
		       : 0;
}

void cpu_watch__report(const struct cpu_watch *w)
{
	uint64_t longest = 0, elapsed = raw_ns() - w->begin_ns;
	uint64_t *ns = w->cnt ? calloc(w->cnt, sizeof(*ns)) : NULL;
	size_t i;

	for (i = 0; ns && i < w->cnt; i++) {
		ns[i] = enabled_ns(w, i);
		longest = ns[i] > longest ? ns[i] : longest;
	}
	if (longest + ALL_SLACK_NS + elapsed / 100 < elapsed)
		longest = elapsed;
	for (i = 0; ns && i < w->cnt; i++) {
		/* Clocks of CPUs may differ in speed: by a thousandth at most. */
		if (w->fds[i] < 0 || ns[i] + SLACK_NS + longest / 1000 >= longest)
			continue;
		log_warn("CPU %d went offline: its last %.3f s are missing, also since it is back; "
			 "start again to observe it",
			 w->cpus[i], (double)(longest - ns[i]) / SEC_NS);
	}
	free(ns);
}

void cpu_watch__close(struct cpu_watch *w)
{
	size_t i;

	for (i = 0; i < w->cnt; i++)
		if (w->fds[i] >= 0)
			close(w->fds[i]);
	free(w->cpus);
	free(w->fds);
	*w = (struct cpu_watch){ 0 };
}
