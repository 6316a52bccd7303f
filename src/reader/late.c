// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "reader/late.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "util/fs.h"
#include "util/mono.h"

static uint64_t cpu_ns(pid_t pid)
{
	struct timespec ts;
	clockid_t clock;

	if (clock_getcpuclockid(pid, &clock) || clock_gettime(clock, &ts))
		return 0;
	return (uint64_t)ts.tv_sec * 1000000000ull + (uint64_t)ts.tv_nsec;
}

/* Reads a file of the process below /proc; NULL: it cannot be read. */
static char *read_file(pid_t pid, const char *name)
{
	char path[64];

	snprintf(path, sizeof(path), "/proc/%d/%s", (int)pid, name);
	return fs__read_file(path, NULL);
}

uint64_t late__ready_ns(pid_t tid)
{
	char *text = read_file(tid, "schedstat");
	uint64_t ns = 0;

	if (text && sscanf(text, "%*u %" SCNu64, &ns) != 1)
		ns = 0;
	free(text);
	return ns;
}

static bool is_ready(pid_t pid)
{
	char *text = read_file(pid, "stat"), *name_end = text ? strrchr(text, ')') : NULL;
	bool is_ready = name_end && !strncmp(name_end, ") R", 3);

	free(text);
	return is_ready;
}

void late__begin(struct late *l, pid_t pid)
{
	*l = (struct late){ pid, mono_ns(), cpu_ns(pid), late__ready_ns(pid) };
}

uint64_t late__cpu_ns(const struct late *l)
{
	uint64_t ns = cpu_ns(l->pid);

	return ns > l->cpu_ns ? ns - l->cpu_ns : 0;
}

uint64_t late__ns(const struct late *l)
{
	uint64_t wall_ns = mono_ns() - l->begin_ns, ran_ns = late__cpu_ns(l), ns;

	/* It may be waiting now, and its wait not counted yet. */
	if (is_ready(l->pid) && ran_ns < wall_ns)
		return wall_ns - ran_ns;
	/* A wait counts when it ends. */
	ns = late__ready_ns(l->pid);
	return ns > l->ready_ns ? ns - l->ready_ns : 0;
}
