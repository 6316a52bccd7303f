// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * Counters of CPUs, read in user space: who stands on that CPU can read its PMU as it could its own
 * counters (libbpfperf). A counter of another task cannot be read so: it is on the PMU while that task runs.
 */
#include <errno.h>
#include <sched.h>
#include <stdlib.h>

#include "perf/perf_counters_priv.h"

static bool can_be_mapped(const struct perf_counters *c, size_t i)
{
	const struct counter *ct = &c->counters[i];

	return ct->leader == i && ct->member_cnt == 1 && ct->cpus[0] >= 0 && ct->tids[0] < 0 &&
	       ct->refusal.state == COUNTER_COUNTS;
}

int perf_counters_user__map(struct perf_counters *c)
{
	size_t i, j, cells;

	for (i = 0; i < c->cnt; i++) {
		struct counter *ct = &c->counters[i];

		if (!can_be_mapped(c, i))
			continue;
		cells = ct->cpu_cnt * ct->tid_cnt;
		ct->pages = calloc(cells, sizeof(*ct->pages));
		if (!ct->pages)
			return -ENOMEM;
		for (j = 0; j < cells; j++)
			if (ct->fds[j] < 0 || bpfperf_attach(&ct->pages[j], ct->fds[j]))
				ct->pages[j] = (struct bpfperf_counter){ .fd = -1 };
	}
	return 0;
}

void perf_counters_user__unmap(struct counter *ct)
{
	if (ct->pages)
		bpfperf_close(ct->pages, ct->cpu_cnt * ct->tid_cnt);
	free(ct->pages);
	ct->pages = NULL;
}

int perf_counters_user__read(struct perf_counters *c, struct counter *ct, size_t cell)
{
	struct bpfperf_counter *page = &ct->pages[cell];
	struct bpfperf_value val;
	cpu_set_t set;
	int how;

	if (page->fd < 0)
		return -EAGAIN;
	CPU_ZERO(&set);
	CPU_SET(ct->cpus[cell / ct->tid_cnt], &set);
	/* Where this task may not go, nothing of that CPU's can be read there. */
	if (sched_setaffinity(0, sizeof(set), &set))
		return -EAGAIN;
	how = bpfperf_read(page, &val);
	if (how < 0)
		return -EAGAIN;
	if (how == BPFPERF_USER) {
		c->reads.user++;
	} else {
		c->reads.by_read++;
		c->reads.why = bpfperf_why(page);
	}
	ct->counts[cell] = (struct counter_count){ val.value, val.enabled_ns, val.running_ns };
	return 0;
}
