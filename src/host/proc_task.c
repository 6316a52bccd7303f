// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "host/proc_task.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/proc_walk.h"
#include "util/fs.h"

int proc_task__cpu_ns(int32_t tid, uint64_t *cpu_ns)
{
	char path[64];
	long val;
	int err;

	snprintf(path, sizeof(path), "/proc/%d/schedstat", tid);
	err = fs__read_long(path, &val);
	*cpu_ns = err ? 0 : (uint64_t)val;
	return err;
}

/* Length of a thread's name in the kernel, without the NUL. */
#define COMM_MAX 15

/*
 * Reads a thread's state, and the number of threads of its process. False: the thread does not
 * exist.
 */
static bool read_state(int32_t tid, char *state, int *threads)
{
	char path[64], *stat, *paren;
	bool found = false;

	snprintf(path, sizeof(path), "/proc/%d/stat", tid);
	stat = fs__read_file(path, NULL);
	/*
	 * "PID (name) STATE …": the name may contain any character; the last parenthesis ends it.
	 */
	paren = stat ? strrchr(stat, ')') : NULL;
	if (paren)
		found = sscanf(paren,
			       ") %c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %*u %*u %*d %*d %*d "
			       "%*d %d",
			       state, threads) == 2;
	free(stat);
	return found;
}

static bool has_ended(char state)
{
	return state == 'Z' || state == 'X';
}

bool proc_task__runs(int32_t tid)
{
	int threads;
	char state;

	return read_state(tid, &state, &threads) && !has_ended(state);
}

bool proc_task__process_runs(int32_t pid)
{
	int threads;
	char state;

	return read_state(pid, &state, &threads) && (!has_ended(state) || threads > 1);
}

void proc_task__cut_comm(char *comm)
{
	/*
	 * kworker/0:2-events, kworker/u8:1+flush-8:0; but the rescuer kworker/R-NAME has its
	 * queue's name.
	 */
	if (!strncmp(comm, "kworker/", 8) && comm[8] != 'R')
		comm[strcspn(comm, "+-")] = '\0';
	if (strlen(comm) > COMM_MAX)
		comm[COMM_MAX] = '\0';
}

struct search {
	pid_t pid, found;
};

static int find_running(void *ctx, pid_t tid)
{
	struct search *s = ctx;

	if (tid == s->pid || !proc_task__runs(tid))
		return 0;
	s->found = tid;
	return 1;
}

int32_t proc_task__live_thread(int32_t pid)
{
	struct search s = { pid, pid };
	int threads;
	char state;

	if (read_state(pid, &state, &threads) && has_ended(state) && threads > 1)
		proc_walk__threads(pid, find_running, &s);
	return s.found;
}
