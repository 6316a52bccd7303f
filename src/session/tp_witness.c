// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "session/tp_witness.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <linux/types.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <bpf/bpf.h>

#include "bpf/wire.h"
#include "event/event.h"
#include "host/cpu_list.h"
#include "perf/perf_fd.h"
#include "util/log.h"

/* Counters of events that need none, at most: each takes about 20 µs of the start. */
#define TP_WITNESS_FDS 256

static int *fds_of(const struct tp_witness *w, size_t i)
{
	return w->fds + i * (size_t)w->cpu_cnt;
}

static void close_one(struct tp_witness *w, size_t i)
{
	int *fds = fds_of(w, i), cpu;

	for (cpu = 0; cpu < w->cpu_cnt; cpu++) {
		/* Never the last of its tracepoint: the detach helper holds the attachment. */
		if (fds[cpu] >= 0)
			close(fds[cpu]);
		fds[cpu] = -1;
	}
}

/* Returns the exclusive upper bound of CPUs that are online. */
static int end_of_online(const bool *online)
{
	int cpu, end = 0;

	for (cpu = 0; cpu < CPU_LIST_MAX; cpu++)
		if (online[cpu])
			end = cpu + 1;
	return end;
}

int tp_witness__init(struct tp_witness *w, size_t cnt, int infos_fd)
{
	bool online[CPU_LIST_MAX] = { false };
	size_t i, fd_cnt;

	if (!cnt || cpu_list__online(online))
		return 0;
	w->cpu_cnt = end_of_online(online);
	fd_cnt = cnt * (size_t)w->cpu_cnt;
	w->fds = malloc(fd_cnt * sizeof(*w->fds) + 1);
	w->hits = calloc(cnt, sizeof(*w->hits));
	w->stays = calloc(cnt, sizeof(*w->stays));
	if (!w->fds || !w->hits || !w->stays)
		return -ENOMEM;
	for (i = 0; i < fd_cnt; i++)
		w->fds[i] = -1;
	w->cnt = cnt;
	w->infos_fd = infos_fd;
	return 0;
}

void tp_witness__watch(struct tp_witness *w, size_t i, const struct event *ev, bool stays)
{
	bool online[CPU_LIST_MAX] = { false };
	struct perf_event_attr attr;
	int *fds, cpu;

	if (i >= w->cnt || cpu_list__online(online))
		return;
	if (!stays && w->cnt * (size_t)w->cpu_cnt > TP_WITNESS_FDS)
		return;
	w->stays[i] = stays;
	fds = fds_of(w, i);
	perf_fd__attr(&attr, ev);
	attr.disabled = 0;
	for (cpu = 0; cpu < w->cpu_cnt; cpu++) {
		if (!online[cpu])
			continue;
		fds[cpu] = perf_fd__open(&attr, -1, cpu, -1, 0);
		if (fds[cpu] < 0)
			log_info("%s: the kernel does not count its hits on CPU %d: %s", ev->name,
				 cpu, strerror(-fds[cpu]));
	}
}

static bool program_ran(const struct tp_witness *w, size_t i)
{
	struct wire_tp_info info;
	__u32 key = (__u32)i;

	/* A map that cannot be read proves nothing. */
	return bpf_map_lookup_elem(w->infos_fd, &key, &info) || info.ran;
}

static bool is_watched(const struct tp_witness *w, size_t i)
{
	const int *fds = fds_of(w, i);
	int cpu;

	for (cpu = 0; cpu < w->cpu_cnt; cpu++)
		if (fds[cpu] >= 0)
			return true;
	return false;
}

void tp_witness__relax(struct tp_witness *w)
{
	size_t i;

	for (i = 0; i < w->cnt; i++)
		if (!w->stays[i] && is_watched(w, i) && program_ran(w, i))
			close_one(w, i);
}

static uint64_t hits_of(const struct tp_witness *w, size_t i)
{
	const int *fds = fds_of(w, i);
	uint64_t sum = 0, val;
	int cpu;

	for (cpu = 0; cpu < w->cpu_cnt; cpu++)
		if (fds[cpu] >= 0 && read(fds[cpu], &val, sizeof(val)) == sizeof(val))
			sum += val;
	return sum;
}

void tp_witness__end(struct tp_witness *w)
{
	size_t i;

	for (i = 0; i < w->cnt; i++) {
		if (!is_watched(w, i))
			continue;
		/* In this order: a hit between the two is a run that is seen. */
		w->hits[i] = hits_of(w, i);
		if (program_ran(w, i))
			w->hits[i] = 0;
	}
}

void tp_witness__free(struct tp_witness *w)
{
	size_t i;

	for (i = 0; i < w->cnt; i++)
		close_one(w, i);
	free(w->fds);
	free(w->hits);
	free(w->stays);
	*w = (struct tp_witness){ 0 };
}
