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
#include "host/cpu_times.h"
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

uint64_t lost_ticks__busy(const struct lost_ticks *grown)
{
	uint64_t idle = grown->idle > grown->idle_time ? grown->idle : grown->idle_time;

	return grown->all > idle ? grown->all - idle : 0;
}

uint64_t lost_ticks__missed(const struct lost_ticks *grown)
{
	uint64_t busy = lost_ticks__busy(grown), seen = grown->seen - grown->idle;

	return busy > seen + grown->slack ? busy - seen : 0;
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

/* By CPU: the part of a clock that its program has counted, and the CPU's times. */
struct by_cpu {
	struct wire_stack_count *counts;
	struct cpu_times *times;
	int cnt;
};

static void sum_clock(const struct evsel *sel, uint64_t period_ns, const uint64_t *ns,
		      const struct by_cpu *by_cpu, struct lost_ticks *ticks)
{
	uint64_t all, seen;
	size_t i;

	for (i = 0; i < evsel__cell_cnt(sel); i++) {
		int cpu = evsel__cpu(sel, i);

		if (sel->fds[i] < 0 || cpu >= by_cpu->cnt)
			continue;
		all = ns[i] / period_ns;
		seen = by_cpu->counts[cpu].cnt / period_ns;
		ticks->all += all;
		ticks->seen += seen < all ? seen : all;
		ticks->idle += by_cpu->counts[cpu].idle / period_ns;
		ticks->idle_time += by_cpu->times[cpu].idle_ns / period_ns;
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

static int sum_clocks(const struct evset *set, const uint64_t *period_ns, int counts_fd,
		      uint64_t *ns, const struct by_cpu *by_cpu, struct lost_ticks *ticks)
{
	uint64_t *at = ns;
	__u32 i;

	/* Clocks are read first, so that a tick between both readings does not look lost. */
	for (i = 0; i < set->cnt; at += evsel__cell_cnt(&set->events[i++]))
		if (period_ns[i])
			read_clock(&set->events[i], at);
	for (i = 0, at = ns; i < set->cnt; at += evsel__cell_cnt(&set->events[i++])) {
		if (!period_ns[i])
			continue;
		if (bpf_map_lookup_elem(counts_fd, &i, by_cpu->counts))
			return -errno;
		sum_clock(&set->events[i], period_ns[i], at, by_cpu, ticks);
	}
	return 0;
}

int lost_ticks__read(const struct evset *set, const uint64_t *period_ns, int counts_fd,
		     struct lost_ticks *ticks)
{
	struct by_cpu by_cpu = { .cnt = libbpf_num_possible_cpus() };
	int err = -ENOMEM;
	uint64_t *ns;

	*ticks = (struct lost_ticks){ 0 };
	if (!has_clock(set, period_ns))
		return 0;
	if (by_cpu.cnt < 0)
		return by_cpu.cnt;
	by_cpu.counts = calloc((size_t)by_cpu.cnt, sizeof(*by_cpu.counts));
	by_cpu.times = calloc((size_t)by_cpu.cnt, sizeof(*by_cpu.times));
	ns = calloc(cell_sum(set), sizeof(*ns));
	if (by_cpu.counts && by_cpu.times && ns)
		err = cpu_times__read(NULL, by_cpu.times, (size_t)by_cpu.cnt);
	if (!err)
		err = sum_clocks(set, period_ns, counts_fd, ns, &by_cpu, ticks);
	free(by_cpu.counts);
	free(by_cpu.times);
	free(ns);
	return err;
}
