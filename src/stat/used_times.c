// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "stat/used_times.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "target/cgroup.h"
#include "host/cpu_times.h"
#include "target/threads.h"
#include "util/array.h"

struct used_time {
	enum used_by by;
	int id;
	uint64_t user_ns, system_ns;
	bool gone; /* its number may be reused by now */
};

/* The times of all CPUs are read at once; their sum is stored behind them. */
static int of_cpu(const struct used_times *times, int id, uint64_t *user_ns, uint64_t *system_ns)
{
	*user_ns = times->cpus[id].user_ns;
	*system_ns = times->cpus[id].system_ns;
	return 0;
}

static int of_machine(const struct used_times *times, int id, uint64_t *user_ns,
		      uint64_t *system_ns)
{
	return of_cpu(times, (int)times->cpu_cnt, user_ns, system_ns);
}

static int of_process(const struct used_times *times, int id, uint64_t *user_ns,
		      uint64_t *system_ns)
{
	return threads__process_times(id, user_ns, system_ns);
}

static int of_thread(const struct used_times *times, int id, uint64_t *user_ns, uint64_t *system_ns)
{
	return threads__thread_times(id, user_ns, system_ns);
}

static int of_cgroup(const struct used_times *times, int id, uint64_t *user_ns, uint64_t *system_ns)
{
	return cgroup__times(id, user_ns, system_ns);
}

static int (*const ask[])(const struct used_times *times, int id, uint64_t *user_ns,
			  uint64_t *system_ns) = {
	[USED_BY_PROCESS] = of_process, [USED_BY_THREAD] = of_thread, [USED_BY_CPU] = of_cpu,
	[USED_BY_MACHINE] = of_machine, [USED_BY_CGROUP] = of_cgroup,
};

/* Makes room for the CPUs below cnt, and for their sum. */
static int reserve_cpus(struct used_times *times, size_t cnt)
{
	struct cpu_times *cpus;

	if (times->cpus && cnt <= times->cpu_cnt)
		return 0;
	cpus = calloc(cnt + 1, sizeof(*cpus));
	if (!cpus)
		return -ENOMEM;
	free(times->cpus);
	times->cpus = cpus;
	times->cpu_cnt = cnt;
	return 0;
}

int used_times__add(struct used_times *times, enum used_by by, int id)
{
	int err = 0;

	if (by == USED_BY_CPU || by == USED_BY_MACHINE)
		err = reserve_cpus(times, by == USED_BY_CPU ? (size_t)id + 1 : 0);
	if (!err)
		err = array__reserve((void **)&times->used, &times->cap, times->cnt + 1,
				     sizeof(*times->used));
	if (!err)
		times->used[times->cnt++] = (struct used_time){ .by = by, .id = id };
	return err;
}

/* /proc reports 0 for a thread that is exiting. */
static void raise_to(uint64_t *ns, uint64_t now_ns)
{
	if (now_ns > *ns)
		*ns = now_ns;
}

void used_times__read(struct used_times *times)
{
	uint64_t user_ns, system_ns;
	size_t i;
	int err;

	if (times->cpus)
		cpu_times__read(&times->cpus[times->cpu_cnt], times->cpus, times->cpu_cnt);
	for (i = 0; i < times->cnt; i++) {
		struct used_time *u = &times->used[i];

		err = u->gone ? -ESRCH : ask[u->by](times, u->id, &user_ns, &system_ns);
		u->gone = err == -ESRCH || err == -ENOENT;
		if (err)
			continue;
		raise_to(&u->user_ns, user_ns);
		raise_to(&u->system_ns, system_ns);
	}
}

void used_times__sum(const struct used_times *times, uint64_t *user_ns, uint64_t *system_ns)
{
	size_t i;

	*user_ns = *system_ns = 0;
	for (i = 0; i < times->cnt; i++) {
		*user_ns += times->used[i].user_ns;
		*system_ns += times->used[i].system_ns;
	}
}

void used_times__free(struct used_times *times)
{
	free(times->used);
	free(times->cpus);
	memset(times, 0, sizeof(*times));
}
