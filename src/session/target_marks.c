// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "session/target_marks.h"

#include <dirent.h>
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

uint32_t targets__map_elems(void)
{
	long pid_max;

	/* The most there can be on 64 bits (PID_MAX_LIMIT), should /proc not tell. */
	if (fs__read_long("/proc/sys/kernel/pid_max", &pid_max) || pid_max < 1)
		pid_max = 4 * 1024 * 1024;
	return (uint32_t)(pid_max / WIRE_TASKS_PER_ELEM + 1);
}

/*
 * The byte of a thread in the `tasks` map, shared with the programs: single bytes are stored, so
 * that a neighbour that follow_newtask changes meanwhile stays as it is. One page at a time is
 * mapped: there may be 4 million threads. NULL and errno.
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

/* Marks the threads of a process that are not yet: how many, or -errno. */
static int mark_threads(int map_fd, pid_t pid)
{
	char path[64];
	struct dirent *e;
	int cnt = 0, err = 0;
	DIR *dir;

	snprintf(path, sizeof(path), "/proc/%d/task", pid);
	dir = opendir(path);
	if (!dir)
		return errno == ENOENT ? 0 : -errno;
	while ((e = readdir(dir)) && !err) {
		pid_t tid = atoi(e->d_name);

		if (tid <= 0 || is_marked(map_fd, tid))
			continue;
		err = add_mark(map_fd, tid, WIRE_TASK_WATCHED);
		cnt++;
	}
	closedir(dir);
	return err ? err : cnt;
}

int targets__mark(const struct targets *t, int map_fd)
{
	size_t i;
	int n;

	for (i = 0; i < t->pid_cnt; i++) {
		/* A thread that one not yet marked has made is found by the next look. */
		do {
			n = mark_threads(map_fd, t->pids[i]);
		} while (n > 0);
		if (n < 0)
			return n;
	}
	/* Children of the processes above are traced, too, whichever thread starts them. */
	for (i = 0; i < t->tid_cnt; i++) {
		if (is_marked(map_fd, t->tids[i]))
			continue;
		n = add_mark(map_fd, t->tids[i], WIRE_TASK_WATCHED | WIRE_TASK_ALONE);
		if (n < 0)
			return n;
	}
	return 0;
}

/* Does a thread's name match? One that is gone has none. */
static bool is_named(const char *path, const struct comm_glob *glob)
{
	char *comm = fs__read_file(path, NULL);
	bool matches = false;

	if (comm) {
		size_t len = strlen(comm);

		/* Names may contain newlines; the last is the file's. */
		if (len && comm[len - 1] == '\n')
			comm[len - 1] = '\0';
		proc_task__cut_comm(comm);
		matches = comm_glob__matches(glob, comm);
	}
	free(comm);
	return matches;
}

static int mark_named_threads(int map_fd, const struct comm_glob *glob, pid_t pid)
{
	char path[80];
	struct dirent *e;
	int err = 0;
	DIR *dir;

	snprintf(path, sizeof(path), "/proc/%d/task", pid);
	dir = opendir(path);
	while (dir && (e = readdir(dir)) && !err) {
		pid_t tid = atoi(e->d_name);

		if (tid <= 0)
			continue;
		snprintf(path, sizeof(path), "/proc/%d/task/%d/comm", pid, tid);
		if (is_named(path, glob))
			err = add_mark(map_fd, tid, WIRE_TASK_NAMED);
	}
	if (dir)
		closedir(dir);
	return err;
}

int targets__mark_names(int map_fd, const struct comm_glob *glob)
{
	DIR *proc = opendir("/proc");
	struct dirent *e;
	int err = 0;

	if (!proc)
		return -errno;
	/* The idle tasks of all CPUs have one id: which of them are named each CPU says. */
	err = add_mark(map_fd, 0, WIRE_TASK_NAMED);
	while (!err && (e = readdir(proc)))
		if (atoi(e->d_name) > 0)
			err = mark_named_threads(map_fd, glob, atoi(e->d_name));
	closedir(proc);
	return err;
}
