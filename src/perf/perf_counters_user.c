// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * Reads counters of CPUs in user space: a thread that runs on the CPU can read its PMU like its own
 * counters (libbpfperf). This is impossible for a counter of another task, which is on the PMU only
 * while that task runs.
 */
#include <errno.h>
#include <sched.h>
#include <stdlib.h>

#include "event/event.h"
#include "perf/perf_counters_priv.h"

static bool can_be_mapped(const struct perf_counters *c, size_t i)
{
	const struct evsel *sel = &c->set.events[i];

	return sel->leader == i && sel->member_cnt == 1 && sel->tids[0] < 0 &&
	       c->counters[i].refusal.state == COUNTER_COUNTS && sel->cpus[0] >= 0;
}

int perf_counters_user__map(struct perf_counters *c)
{
	size_t i, j, cells;

	for (i = 0; i < c->set.cnt; i++) {
		const struct evsel *sel = &c->set.events[i];
		struct counter *ct = &c->counters[i];

		if (!can_be_mapped(c, i))
			continue;
		cells = evsel__cell_cnt(sel);
		ct->pages = calloc(cells, sizeof(*ct->pages));
		if (!ct->pages)
			return -ENOMEM;
		for (j = 0; j < cells; j++)
			if (sel->fds[j] < 0 || bpfperf_attach(&ct->pages[j], sel->fds[j]))
				ct->pages[j] = (struct bpfperf_counter){ .fd = -1 };
	}
	return 0;
}

void perf_counters_user__unmap(struct perf_counters *c, size_t event)
{
	struct counter *ct = &c->counters[event];

	if (ct->pages)
		bpfperf_close(ct->pages, evsel__cell_cnt(&c->set.events[event]));
	free(ct->pages);
	ct->pages = NULL;
}

/* The reason of an event that user space might read is the one with a remedy. */
static void note_why(struct perf_counters *c, size_t event, const struct bpfperf_counter *page)
{
	const struct event *ev = c->set.events[event].ev;

	if (ev && event__is_hw(ev))
		c->reads.why = bpfperf_why(page);
	else if (!c->reads.why)
		c->reads.why =
			"only counters of the CPU's own PMU can be read in user space, which "
			"software events and events of other PMUs are not";
}

int perf_counters_user__read(struct perf_counters *c, size_t event, size_t cell)
{
	struct counter *ct = &c->counters[event];
	struct bpfperf_counter *page = &ct->pages[cell];
	struct bpfperf_value val;
	cpu_set_t set;
	int how;

	if (page->fd < 0)
		return -EAGAIN;
	CPU_ZERO(&set);
	CPU_SET(evsel__cpu(&c->set.events[event], cell), &set);
	/* The counter can be read only on its CPU, so this task must be allowed to run there. */
	if (sched_setaffinity(0, sizeof(set), &set))
		return -EAGAIN;
	how = bpfperf_read(page, &val);
	if (how < 0)
		return -EAGAIN;
	if (how == BPFPERF_USER) {
		c->reads.user++;
	} else {
		c->reads.by_read++;
		note_why(c, event, page);
	}
	ct->counts[cell] = (struct counter_count){ val.value, val.enabled_ns, val.running_ns };
	return 0;
}
