// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* Counts clock ticks without a sample, as the difference between the clock and its program. */
#include "perf/lost_ticks.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <unistd.h>

#include <linux/perf_event.h>
#include <linux/types.h>
#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include "bpf/wire.h"
#include "event/event.h"
#include "perf/evset.h"
#include "perf/perf_fd.h"

#define SEC_NS 1000000000ull
/* Minimum period of the kernel's clocks (perf_swevent_start_hrtimer()). */
#define PERIOD_MIN_NS 10000
/* Ticks of a CPU by which two readings can be off. */
#define SLACK 4

uint64_t lost_ticks__period_ns(const struct event *ev, const struct perf_sampling *how)
{
	uint64_t period_ns = how->freq_hz ? SEC_NS / how->freq_hz : how->period;

	if (ev->kind == EVENT_TRACEPOINT || !event__is_clock(ev) || ev->exclude_user ||
	    ev->exclude_kernel || ev->exclude_idle)
		return 0;
	return period_ns >= PERIOD_MIN_NS ? period_ns : 0;
}

uint64_t lost_ticks__missed(const struct lost_ticks *grown)
{
	return grown->all > grown->seen + grown->slack ? grown->all - grown->seen : 0;
}

static bool has_clock(const struct evset *set, const uint64_t *period_ns)
{
	size_t i;

	for (i = 0; i < set->cnt; i++)
		if (period_ns[i] && evsel__is_open(&set->events[i]))
			return true;
	return false;
}

/* Reads a clock on each of its CPUs, into ns[cell]. */
static void read_clock(const struct evsel *sel, uint64_t *ns)
{
	size_t i;

	for (i = 0; i < evsel__cell_cnt(sel); i++)
		if (sel->fds[i] < 0 || read(sel->fds[i], &ns[i], sizeof(ns[i])) != sizeof(ns[i]))
			ns[i] = 0;
}

/* Adds up one clock; counts[cpu] is the part that its program has counted. */
static void sum_clock(const struct evsel *sel, uint64_t period_ns, const uint64_t *ns,
		      const struct wire_stack_count *counts, int cpu_cnt, struct lost_ticks *ticks)
{
	uint64_t all, seen;
	size_t i;

	for (i = 0; i < evsel__cell_cnt(sel); i++) {
		int cpu = evsel__cpu(sel, i);

		if (sel->fds[i] < 0 || cpu >= cpu_cnt)
			continue;
		all = ns[i] / period_ns;
		seen = counts[cpu].cnt / period_ns;
		ticks->all += all;
		ticks->seen += seen < all ? seen : all;
		ticks->idle += counts[cpu].idle / period_ns;
		/* A tick between the two readings, at either end, and parts of a period. */
		ticks->slack += SLACK;
	}
}

static size_t cell_sum(const struct evset *set)
{
	size_t sum = 0, i;

	for (i = 0; i < set->cnt; i++)
		sum += evsel__cell_cnt(&set->events[i]);
	return sum;
}

int lost_ticks__read(const struct evset *set, const uint64_t *period_ns, int counts_fd,
		     struct lost_ticks *ticks)
{
	int cpu_cnt = libbpf_num_possible_cpus(), err = 0;
	struct wire_stack_count *counts;
	uint64_t *ns, *at;
	__u32 i;

	*ticks = (struct lost_ticks){ 0 };
	if (!has_clock(set, period_ns))
		return 0;
	if (cpu_cnt < 0)
		return cpu_cnt;
	counts = calloc((size_t)cpu_cnt, sizeof(*counts));
	ns = at = calloc(cell_sum(set), sizeof(*ns));
	if (!counts || !ns) {
		err = -ENOMEM;
		goto cleanup;
	}
	/* Clocks are read first, so that a tick between both readings does not look lost. */
	for (i = 0; i < set->cnt; at += evsel__cell_cnt(&set->events[i++]))
		if (period_ns[i])
			read_clock(&set->events[i], at);
	for (i = 0, at = ns; i < set->cnt; at += evsel__cell_cnt(&set->events[i++])) {
		if (!period_ns[i])
			continue;
		if (bpf_map_lookup_elem(counts_fd, &i, counts)) {
			err = -errno;
			break;
		}
		sum_clock(&set->events[i], period_ns[i], at, counts, cpu_cnt, ticks);
	}
cleanup:
	free(counts);
	free(ns);
	return err;
}
