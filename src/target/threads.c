// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "target/threads.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "host/cpu_times.h"
#include "host/proc_walk.h"
#include "target/targets.h"
#include "util/array.h"
#include "util/fs.h"

int threads__add(struct threads *list, pid_t tid)
{
	if (array__reserve((void **)&list->tids, &list->cap, list->cnt + 1, sizeof(*list->tids)))
		return -ENOMEM;
	list->tids[list->cnt++] = tid;
	return 0;
}

static int add_walked(void *ctx, pid_t tid)
{
	return threads__add(ctx, tid);
}

/* Appends the threads of a process; none if it has ended. */
static int add_process(struct threads *list, pid_t pid)
{
	int err = proc_walk__threads(pid, add_walked, list);

	return err == -ENOMEM ? err : 0;
}

static bool has(const struct threads *list, pid_t tid)
{
	size_t i;

	for (i = 0; i < list->cnt; i++)
		if (list->tids[i] == tid)
			return true;
	return false;
}

int threads__add_targets(struct threads *list, const struct targets *t)
{
	size_t i, before;
	int err = 0;

	for (i = 0; i < t->pid_cnt && !err; i++)
		err = add_process(list, t->pids[i]);
	before = list->cnt;
	for (i = 0; i < t->tid_cnt && !err; i++)
		if (!has(list, t->tids[i]))
			err = threads__add(list, t->tids[i]);
	list->noinherit_cnt = list->cnt - before;
	return err;
}

static bool is_of(pid_t pid, uid_t uid)
{
	struct stat st;
	char path[64];

	snprintf(path, sizeof(path), "/proc/%d", pid);
	return stat(path, &st) == 0 && st.st_uid == uid;
}

int threads__add_all(struct threads *list, const uid_t *uid, pid_t but)
{
	struct threads pids = { 0 };
	int err = proc_walk__processes(add_walked, &pids);
	size_t i;

	for (i = 0; i < pids.cnt && !err; i++)
		if (pids.tids[i] != but && (!uid || is_of(pids.tids[i], *uid)))
			err = add_process(list, pids.tids[i]);
	threads__free(&pids);
	return err;
}

pid_t threads__process_of(pid_t tid)
{
	char path[64], *status, *line;
	pid_t pid = tid;

	snprintf(path, sizeof(path), "/proc/%d/status", tid);
	status = fs__read_file(path, NULL);
	line = status ? strstr(status, "\nTgid:") : NULL;
	if (line)
		pid = atoi(line + 6);
	free(status);
	return pid;
}

int threads__processes(const struct threads *list, struct threads *pids)
{
	size_t i, j;
	int err = 0;

	for (i = 0; i < list->cnt && !err; i++) {
		pid_t pid = threads__process_of(list->tids[i]);
		bool known = false;

		/* The threads of a process are adjacent. */
		for (j = 0; j < pids->cnt && !known; j++)
			known = pids->tids[pids->cnt - 1 - j] == pid;
		if (!known)
			err = threads__add(pids, pid);
	}
	return err;
}

void threads__free(struct threads *list)
{
	free(list->tids);
	memset(list, 0, sizeof(*list));
}

char *threads__label(pid_t tid)
{
	char path[64], *comm, *label;

	snprintf(path, sizeof(path), "/proc/%d/comm", tid);
	comm = fs__read_file(path, NULL);
	if (comm)
		comm[strcspn(comm, "\n")] = '\0';
	if (asprintf(&label, "%s-%d", comm ? comm : "?", tid) < 0)
		label = NULL;
	free(comm);
	return label;
}

static int read_times(const char *path, bool with_children, uint64_t *user_ns, uint64_t *system_ns)
{
	unsigned long long user, sys, child_user, child_sys;
	char *text = fs__read_file(path, NULL), *paren;
	int n = 0;

	if (!text)
		return -errno;
	/* "PID (name) STATE …": utime is the 14th field. The name may contain any character. */
	paren = strrchr(text, ')');
	if (paren)
		n = sscanf(paren + 1,
			   " %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %llu %llu %llu %llu",
			   &user, &sys, &child_user, &child_sys);
	free(text);
	if (n != 4)
		return -EINVAL;
	*user_ns = (user + (with_children ? child_user : 0)) * cpu_times__unit_ns();
	*system_ns = (sys + (with_children ? child_sys : 0)) * cpu_times__unit_ns();
	return 0;
}

int threads__process_times(pid_t pid, uint64_t *user_ns, uint64_t *system_ns)
{
	char path[64];

	snprintf(path, sizeof(path), "/proc/%d/stat", pid);
	return read_times(path, true, user_ns, system_ns);
}

int threads__thread_times(pid_t tid, uint64_t *user_ns, uint64_t *system_ns)
{
	char path[64];

	snprintf(path, sizeof(path), "/proc/%d/task/%d/stat", tid, tid);
	return read_times(path, false, user_ns, system_ns);
}
