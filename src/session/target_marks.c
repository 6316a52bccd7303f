// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* Marks the watched threads in the `tasks` map. */
#include "session/target_marks.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <linux/types.h>

#include "bpf/wire.h"
#include "target/comm_glob.h"
#include "target/targets.h"
#include "util/fs.h"
#include "host/proc_task.h"
#include "host/proc_walk.h"

uint32_t targets__map_elems(void)
{
	long pid_max;

	/* Without /proc, the maximum of 64-bit kernels is assumed (PID_MAX_LIMIT). */
	if (fs__read_long("/proc/sys/kernel/pid_max", &pid_max) || pid_max < 1)
		pid_max = 4 * 1024 * 1024;
	return (uint32_t)(pid_max / WIRE_TASKS_PER_ELEM + 1);
}

/*
 * Maps the byte of a thread in the `tasks` map, shared with the programs: single bytes are stored,
 * so that a neighbour that follow_newtask changes meanwhile is not overwritten. One page at a time
 * is mapped: there may be 4 million threads. NULL and errno.
 */
static uint8_t *map_state(int map_fd, pid_t tid)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE), off = (size_t)tid;
	uint8_t *at = mmap(NULL, page, PROT_READ | PROT_WRITE, MAP_SHARED, map_fd,
			   (off_t)(off & ~(page - 1)));

	return at == MAP_FAILED ? NULL : at + (off & (page - 1));
}

static void unmap_state(uint8_t *state)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);

	munmap((void *)((uintptr_t)state & ~(page - 1)), page);
}

int targets__mark_tid(int map_fd, pid_t tid, int state)
{
	uint8_t *at = map_state(map_fd, tid);

	if (!at)
		return -errno;
	__atomic_store_n(at, (uint8_t)state, __ATOMIC_RELAXED);
	unmap_state(at);
	return 0;
}

static int add_mark(int map_fd, pid_t tid, uint8_t bit)
{
	uint8_t *at = map_state(map_fd, tid);

	if (!at)
		return -errno;
	__atomic_fetch_or(at, bit, __ATOMIC_RELAXED);
	unmap_state(at);
	return 0;
}

static bool is_marked(int map_fd, pid_t tid)
{
	uint8_t *at = map_state(map_fd, tid);
	bool marked = at && __atomic_load_n(at, __ATOMIC_RELAXED) & WIRE_TASK_WATCHED;

	if (at)
		unmap_state(at);
	return marked;
}

struct marking {
	int map_fd;
	int cnt; /* threads that were marked */
};

static int mark_thread(void *ctx, pid_t tid)
{
	struct marking *m = ctx;

	if (is_marked(m->map_fd, tid))
		return 0;
	m->cnt++;
	return add_mark(m->map_fd, tid, WIRE_TASK_WATCHED);
}

/* Marks the unmarked threads of a process. Returns their number, or -errno. */
static int mark_threads(int map_fd, pid_t pid)
{
	struct marking m = { .map_fd = map_fd };
	int err = proc_walk__threads(pid, mark_thread, &m);

	return err && err != -ENOENT ? err : m.cnt;
}

int targets__mark(const struct targets *t, int map_fd)
{
	size_t i;
	int n;

	for (i = 0; i < t->pid_cnt; i++) {
		/* A thread created by one that was not marked yet is found by the next pass. */
		do {
			n = mark_threads(map_fd, t->pids[i]);
		} while (n > 0);
		if (n < 0)
			return n;
	}
	/* Children of the processes above are traced, too, whichever thread creates them. */
	for (i = 0; i < t->tid_cnt; i++) {
		if (is_marked(map_fd, t->tids[i]))
			continue;
		n = add_mark(map_fd, t->tids[i], WIRE_TASK_WATCHED | WIRE_TASK_ALONE);
		if (n < 0)
			return n;
	}
	return 0;
}

/* Does a thread's name match? A thread that has ended has no name. */
static bool is_named(const char *path, const struct comm_glob *glob)
{
	char *comm = fs__read_file(path, NULL);
	bool matches = false;

	if (comm) {
		size_t len = strlen(comm);

		/* Names may contain newlines; the last one belongs to the file. */
		if (len && comm[len - 1] == '\n')
			comm[len - 1] = '\0';
		proc_task__cut_comm(comm);
		matches = comm_glob__matches(glob, comm);
	}
	free(comm);
	return matches;
}

struct naming {
	int map_fd;
	const struct comm_glob *glob;
	pid_t pid;
	int err; /* of add_mark() */
};

static int mark_named_thread(void *ctx, pid_t tid)
{
	struct naming *n = ctx;
	char path[80];

	snprintf(path, sizeof(path), "/proc/%d/task/%d/comm", n->pid, tid);
	if (is_named(path, n->glob))
		n->err = add_mark(n->map_fd, tid, WIRE_TASK_NAMED);
	return n->err;
}

static int mark_named_threads(void *ctx, pid_t pid)
{
	struct naming *n = ctx;

	n->pid = pid;
	/* A process that has ended or is hidden by now has no threads. */
	proc_walk__threads(pid, mark_named_thread, n);
	return n->err;
}

int targets__mark_names(int map_fd, const struct comm_glob *glob)
{
	struct naming n = { .map_fd = map_fd, .glob = glob };
	/* The idle tasks of all CPUs have one id: each CPU reports which of them are named. */
	int err = add_mark(map_fd, 0, WIRE_TASK_NAMED);

	return err ? err : proc_walk__processes(mark_named_threads, &n);
}
