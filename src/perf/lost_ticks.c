// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
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
#include "perf/perf_fd.h"

#define SEC_NS 1000000000ull
/* The kernel's clocks do not tick oftener (perf_swevent_start_hrtimer()). */
#define PERIOD_MIN_NS 10000

uint64_t lost_ticks__period_ns(const struct event *ev, const struct perf_sampling *how)
{
	uint64_t period_ns = how->freq_hz ? SEC_NS / how->freq_hz : how->period;

	if (ev->kind == EVENT_TRACEPOINT || !event__is_clock(ev) || ev->exclude_user ||
	    ev->exclude_kernel || ev->exclude_idle)
		return 0;
	return period_ns >= PERIOD_MIN_NS ? period_ns : 0;
}

uint64_t lost_ticks__missed(const struct lost_ticks *grown, const struct ticking_event *at,
			    size_t cnt)
{
	uint64_t accounted = grown->seen + grown->idle, slack = grown->all / 100 + 1;
	size_t i;

	/* /proc/stat is told in units of its own, at both ends. */
	for (i = 0; i < cnt; i++)
		if (at[i].period_ns)
			slack += 2 * cpu_times__unit_ns() / at[i].period_ns;
	return grown->all > accounted + slack ? grown->all - accounted : 0;
}

static bool has_clock(const struct ticking_event *at, size_t cnt)
{
	size_t i;

	for (i = 0; i < cnt; i++)
		if (at[i].period_ns)
			return true;
	return false;
}

static int count(const struct ticking_event *at, int counts_fd, uint64_t ns, uint64_t idle_ns,
		 struct wire_stack_count *counts, struct lost_ticks *ticks)
{
	uint64_t all = ns / at->period_ns, seen;

	if (bpf_map_lookup_elem(counts_fd, &at->event, counts))
		return -errno;
	seen = counts[at->cpu].cnt / at->period_ns;
	ticks->all += all;
	ticks->seen += seen < all ? seen : all;
	ticks->idle += idle_ns / at->period_ns;
	return 0;
}

int lost_ticks__read(const struct ticking_event *at, size_t cnt, int counts_fd,
		     struct lost_ticks *ticks)
{
	int cpu_cnt = libbpf_num_possible_cpus(), err = 0;
	struct wire_stack_count *counts;
	struct cpu_times *times;
	uint64_t *ns;
	size_t i;

	*ticks = (struct lost_ticks){ 0 };
	if (!has_clock(at, cnt))
		return 0;
	if (cpu_cnt < 0)
		return cpu_cnt;
	counts = calloc((size_t)cpu_cnt, sizeof(*counts));
	times = calloc((size_t)cpu_cnt, sizeof(*times));
	ns = calloc(cnt, sizeof(*ns));
	if (!counts || !times || !ns) {
		err = -ENOMEM;
		goto cleanup;
	}
	/* The clocks first: a tick between the two must not look as if it had not been seen. */
	for (i = 0; i < cnt; i++)
		if (at[i].period_ns && read(at[i].fd, &ns[i], sizeof(ns[i])) != sizeof(ns[i]))
			ns[i] = 0;
	/* Where nobody tells, no CPU was idle. */
	cpu_times__read(NULL, times, (size_t)cpu_cnt);
	for (i = 0; i < cnt && !err; i++)
		if (at[i].period_ns && at[i].cpu < cpu_cnt)
			err = count(&at[i], counts_fd, ns[i], times[at[i].cpu].idle_ns, counts,
				    ticks);
cleanup:
	free(counts);
	free(times);
	free(ns);
	return err;
}
