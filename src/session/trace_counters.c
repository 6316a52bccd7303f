// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "session/trace_counters.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <linux/types.h>
#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include "trace.skel.h"

#include "bpf/wire.h"
#include "event/event.h"
#include "perf/perf_counters.h"
#include "session/cpus.h"
#include "target/targets.h"
#include "util/log.h"

void trace_counters__configure(struct trace_bpf *skel, const struct event_list *events, int by_task)
{
	int cpus = cpus__possible();

	skel->rodata->counter_cnt = (__u32)events->cnt;
	skel->rodata->counter_stride = (__u32)cpus;
	skel->rodata->counters_by_task = by_task;
	skel->rodata->ext_sz += (__u32)(events->cnt * sizeof(struct wire_counter));
	bpf_map__set_max_entries(skel->maps.counters, (__u32)(events->cnt * (size_t)cpus));
	if (!by_task)
		return;
	bpf_map__set_max_entries(skel->maps.counter_cpus, (__u32)cpus);
	bpf_map__set_max_entries(skel->maps.counter_tasks, WIRE_COUNTER_TASKS);
	bpf_program__set_autoload(skel->progs.follow_switch, true);
	bpf_program__set_autoload(skel->progs.follow_counted, true);
}

/* Returns 0, or -errno after one sentence. */
static int check_refusals(const struct perf_counters *c, const struct event_list *events)
{
	size_t i;

	for (i = 0; i < events->cnt; i++) {
		struct counter_refusal r = perf_counters__refusal(c, i);

		if (r.state == COUNTER_COUNTS)
			continue;
		log_error("--counters: %s cannot be counted on this machine: %s; `bpfperf list` "
			  "shows events that can, `bpfperf stat -e %s` shows the reason",
			  events->events[r.event < events->cnt ? r.event : i]->name,
			  r.err ? strerror(-r.err) : "it is not supported",
			  events->events[i]->name);
		return r.err ? r.err : -EOPNOTSUPP;
	}
	return 0;
}

static int fill_map(int map_fd, const struct perf_counters *c, const struct event_list *events)
{
	__u32 stride = (__u32)cpus__possible();
	size_t i, k;

	for (i = 0; i < events->cnt; i++) {
		for (k = 0; k < perf_counters__cpu_cnt(c, i); k++) {
			__u32 key = (__u32)i * stride + (__u32)perf_counters__cpu(c, i, k);
			int fd = perf_counters__fd(c, i, k, 0);

			if (fd >= 0 && bpf_map_update_elem(map_fd, &key, &fd, BPF_ANY))
				return -errno;
		}
	}
	return 0;
}

struct perf_counters *trace_counters__open(struct trace_bpf *skel, const struct event_list *events)
{
	const struct targets everywhere = { .all_cpus = true };
	struct perf_counters_config cfg = {
		.events = (const struct event *const *)events->events,
		.event_cnt = events->cnt,
		.cgroup_fd = -1,
		/* Members that join a running group would start later than it did. */
		.start = COUNTERS_STOPPED,
	};
	struct perf_counters *c = NULL;
	int *cpus, err;

	err = targets__resolve_cpus(&everywhere, &cpus, &cfg.cpu_cnt);
	if (err) {
		errno = -err;
		return NULL;
	}
	cfg.cpus = cpus;
	c = perf_counters__open(&cfg);
	free(cpus);
	if (!c)
		return NULL;
	err = check_refusals(c, events);
	if (!err) {
		err = fill_map(bpf_map__fd(skel->maps.counters), c, events);
		if (err)
			log_error("--counters: the kernel lets no program read these: %s; try "
				  "them one by one",
				  strerror(-err));
	}
	if (!err) {
		err = perf_counters__enable(c);
		if (err)
			log_error("--counters: the counters cannot be started: %s", strerror(-err));
	}
	if (!err)
		return c;
	perf_counters__free(c);
	errno = -err;
	return NULL;
}
