// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "session/ticks.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <linux/perf_event.h>
#include <linux/types.h>
#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include "bpf/wire.h"
#include "event/event.h"
#include "session/perf_fd.h"

#define SEC_NS 1000000000ull
/* The kernel's clocks do not tick oftener (perf_swevent_start_hrtimer()). */
#define PERIOD_MIN_NS 10000

uint64_t ticks__period_ns(const struct event *ev, const struct perf_sampling *how)
{
	uint64_t period_ns = how->freq_hz ? SEC_NS / how->freq_hz : how->period;

	if (ev->type != PERF_TYPE_SOFTWARE || ev->kind == EVENT_TRACEPOINT ||
	    (ev->config != PERF_COUNT_SW_CPU_CLOCK && ev->config != PERF_COUNT_SW_TASK_CLOCK))
		return 0;
	if (ev->exclude_user || ev->exclude_kernel || ev->exclude_idle)
		return 0;
	return period_ns >= PERIOD_MIN_NS ? period_ns : 0;
}

/* Nanoseconds that each CPU was idle since the machine began; 0 where nobody tells. */
static void read_idle(uint64_t *idle_ns, int cpu_cnt)
{
	unsigned long long idle, iowait;
	long unit_ns = (long)SEC_NS / sysconf(_SC_CLK_TCK);
	FILE *f = fopen("/proc/stat", "re");
	char line[512];
	int cpu;

	while (f && fgets(line, sizeof(line), f)) {
		if (sscanf(line, "cpu%d %*u %*u %*u %llu %llu", &cpu, &idle, &iowait) == 3 &&
		    cpu >= 0 && cpu < cpu_cnt)
			idle_ns[cpu] = (idle + iowait) * (uint64_t)unit_ns;
	}
	if (f)
		fclose(f);
}

uint64_t ticks__unseen(const struct ticks *grown, const struct ticking *at, size_t cnt)
{
	uint64_t accounted = grown->seen + grown->idle, slack = grown->all / 100 + 1;
	size_t i;

	/* /proc/stat is told in units of its own, at both ends. */
	for (i = 0; i < cnt; i++)
		if (at[i].period_ns)
			slack += 2 * SEC_NS / (uint64_t)sysconf(_SC_CLK_TCK) / at[i].period_ns;
	return grown->all > accounted + slack ? grown->all - accounted : 0;
}

int ticks__read(const struct ticking *at, size_t cnt, int counts_fd, struct ticks *ticks)
{
	int cpu_cnt = libbpf_num_possible_cpus(), err = 0;
	struct wire_stack_count *counts;
	uint64_t *ns, *idle_ns, all, seen;
	size_t i;

	*ticks = (struct ticks){ 0 };
	if (cpu_cnt < 0)
		return cpu_cnt;
	counts = calloc((size_t)cpu_cnt, sizeof(*counts));
	ns = calloc(cnt + 1, sizeof(*ns));
	idle_ns = calloc((size_t)cpu_cnt, sizeof(*idle_ns));
	if (!counts || !ns || !idle_ns) {
		err = -ENOMEM;
		goto cleanup;
	}
	/* The clocks first: a tick between the two must not look as if it had not been seen. */
	for (i = 0; i < cnt; i++)
		if (read(at[i].fd, &ns[i], sizeof(ns[i])) != sizeof(ns[i]))
			ns[i] = 0;
	read_idle(idle_ns, cpu_cnt);
	for (i = 0; i < cnt && !err; i++) {
		if (!at[i].period_ns || at[i].cpu >= cpu_cnt)
			continue;
		if (bpf_map_lookup_elem(counts_fd, &at[i].event, counts)) {
			err = -errno;
			break;
		}
		all = ns[i] / at[i].period_ns;
		seen = counts[at[i].cpu].cnt / at[i].period_ns;
		ticks->all += all;
		ticks->seen += seen < all ? seen : all;
		ticks->idle += idle_ns[at[i].cpu] / at[i].period_ns;
	}
cleanup:
	free(counts);
	free(ns);
	free(idle_ns);
	return err;
}
