// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "machine/tasks.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "util/array.h"
#include "util/fs.h"
#include "util/hash.h"
#include "host/proc_task.h"
#include "host/proc_walk.h"
#include "machine/proc_event.h"

/* The longest name of a thread of the kernel, which /proc/PID/status has, and its NUL. */
#define COMM_LEN 64

/* kthreadd, the parent of the kernel's threads. */
#define KTHREADD 2

/*
 * An ended thread is kept this long: the records of its last switch and of its reaping come after
 * the kernel has reported its end.
 */
#define AFTERLIFE_NS 1000000000ull

struct task {
	int32_t tid; /* 0: free slot (0 itself is the idle task, never stored) */
	uint64_t end_ns; /* 0: it runs, as far as is known */
	char comm[COMM_LEN];
};

struct ended {
	uint64_t time_ns;
	int32_t tid;
};

struct tasks {
	struct task *slots; /* open addressing, linear probing */
	size_t cap, cnt; /* cap is a power of two */
	struct ended *ended; /* in order of time; ended[ended_head] is the oldest */
	size_t ended_head, ended_cnt, ended_cap;
	char unknown[16];
	bool offline;
};

static size_t home(const struct tasks *t, int32_t tid)
{
	return hash__table_word((uint32_t)tid) & (t->cap - 1);
}

static struct task *task_of(const struct tasks *t, int32_t tid)
{
	size_t i = home(t, tid);

	while (t->slots[i].tid) {
		if (t->slots[i].tid == tid)
			return &t->slots[i];
		i = (i + 1) & (t->cap - 1);
	}
	return NULL;
}

static struct task *insert(struct tasks *t, int32_t tid);

static int grow(struct tasks *t)
{
	struct task *old = t->slots;
	size_t i, old_cap = t->cap;

	t->slots = calloc(old_cap * 2, sizeof(*t->slots));
	if (!t->slots) {
		t->slots = old;
		return -ENOMEM;
	}
	t->cap = old_cap * 2;
	t->cnt = 0;
	for (i = 0; i < old_cap; i++)
		if (old[i].tid)
			*insert(t, old[i].tid) = old[i];
	free(old);
	return 0;
}

/* Returns the thread's entry, which is created if it does not exist. NULL: out of memory. */
static struct task *insert(struct tasks *t, int32_t tid)
{
	struct task *task = task_of(t, tid);
	size_t i;

	if (task)
		return task;
	if (t->cnt * 2 >= t->cap && grow(t))
		return NULL;
	for (i = home(t, tid); t->slots[i].tid; i = (i + 1) & (t->cap - 1))
		;
	t->slots[i].tid = tid;
	t->slots[i].end_ns = 0;
	t->cnt++;
	return &t->slots[i];
}

/* Removes with backward shift, so that probing never meets a gap. */
static void drop(struct tasks *t, int32_t tid)
{
	struct task *task = task_of(t, tid);
	size_t i, j;

	if (!task)
		return;
	i = j = (size_t)(task - t->slots);
	for (;;) {
		size_t want;

		j = (j + 1) & (t->cap - 1);
		if (!t->slots[j].tid)
			break;
		want = home(t, t->slots[j].tid);
		if (((j - want) & (t->cap - 1)) >= ((j - i) & (t->cap - 1))) {
			t->slots[i] = t->slots[j];
			i = j;
		}
	}
	t->slots[i].tid = 0;
	t->cnt--;
}

struct tasks *tasks__new(void)
{
	struct tasks *t = calloc(1, sizeof(*t));

	if (!t)
		return NULL;
	t->cap = 1024;
	t->slots = calloc(t->cap, sizeof(*t->slots));
	if (!t->slots) {
		free(t);
		return NULL;
	}
	return t;
}

void tasks__free(struct tasks *t)
{
	if (!t)
		return;
	free(t->slots);
	free(t->ended);
	free(t);
}

void tasks__set_offline(struct tasks *t)
{
	t->offline = true;
}

static void set_comm(struct tasks *t, int32_t tid, const char *comm, size_t len)
{
	struct task *task = tid ? insert(t, tid) : NULL;

	if (!task)
		return;
	len = strnlen(comm, len < COMM_LEN - 1 ? len : COMM_LEN - 1);
	memset(task->comm, 0, COMM_LEN);
	memcpy(task->comm, comm, len);
}

/* Reads the name from /proc: the whole file but its last newline (names may contain newlines). */
static void read_comm(struct tasks *t, const char *path, int32_t tid)
{
	size_t len;
	char *comm = fs__read_file(path, &len);

	if (comm && len) {
		comm[len - 1] = '\0';
		proc_task__cut_comm(comm);
		set_comm(t, tid, comm, COMM_LEN);
	}
	free(comm);
}

static void read_thread_comm(struct tasks *t, int32_t tid)
{
	char path[32];

	snprintf(path, sizeof(path), "/proc/%d/comm", tid);
	read_comm(t, path, tid);
}

struct scan {
	struct tasks *tasks;
	pid_t pid;
};

static int scan_thread(void *ctx, pid_t tid)
{
	struct scan *scan = ctx;
	char path[80];

	snprintf(path, sizeof(path), "/proc/%d/task/%d/comm", scan->pid, tid);
	read_comm(scan->tasks, path, tid);
	return 0;
}

static int scan_process(void *ctx, pid_t pid)
{
	struct scan scan = { ctx, pid };

	/* A process that has exited has no names. */
	proc_walk__threads(pid, scan_thread, &scan);
	return 0;
}

int tasks__scan(struct tasks *t)
{
	return proc_walk__processes(scan_process, t);
}

static void note_end(struct tasks *t, int32_t tid, uint64_t time_ns)
{
	struct task *task = task_of(t, tid);

	/* A thread without a name has nothing to forget. */
	if (!task)
		return;
	task->end_ns = time_ns;
	if (t->ended_head > 512 && t->ended_head > t->ended_cnt / 2) {
		memmove(t->ended, t->ended + t->ended_head,
			(t->ended_cnt - t->ended_head) * sizeof(*t->ended));
		t->ended_cnt -= t->ended_head;
		t->ended_head = 0;
	}
	if (!array__reserve((void **)&t->ended, &t->ended_cap, t->ended_cnt + 1, sizeof(*t->ended)))
		t->ended[t->ended_cnt++] = (struct ended){ time_ns, tid };
}

static void forget_ended(struct tasks *t, uint64_t now_ns)
{
	while (t->ended_head < t->ended_cnt &&
	       t->ended[t->ended_head].time_ns + AFTERLIFE_NS < now_ns) {
		const struct ended *e = &t->ended[t->ended_head++];
		const struct task *task = task_of(t, e->tid);

		if (task && task->end_ns == e->time_ns)
			drop(t, e->tid);
	}
}

/* An id in use again must not be forgotten because of its former owner. */
static void revive(struct tasks *t, int32_t tid)
{
	struct task *task = task_of(t, tid);

	if (task)
		task->end_ns = 0;
}

static void on_fork(struct tasks *t, int32_t tid, int32_t parent, uint64_t time_ns)
{
	char comm[COMM_LEN];

	/* No record named the parent, so the child's name is unknown, too. */
	if (t->offline && parent && !task_of(t, parent)) {
		drop(t, tid);
		return;
	}
	forget_ended(t, time_ns);
	revive(t, tid);
	/* A kernel thread has its own name from the beginning, which no record reports (6.4). */
	if (parent == KTHREADD && !t->offline) {
		drop(t, tid);
		read_thread_comm(t, tid);
		return;
	}
	/* Copy the name: inserting the child may move the parent's entry. */
	snprintf(comm, sizeof(comm), "%s", tasks__comm(t, parent));
	set_comm(t, tid, comm, COMM_LEN);
}

void tasks__on_event(struct tasks *t, const struct proc_event *ev, uint64_t time_ns)
{
	switch (ev->kind) {
	case PROC_EXEC:
		/*
		 * A thread other than the first that calls exec takes over the id of the first,
		 * which has ended.
		 */
		revive(t, ev->tid);
		/* fall through */
	case PROC_COMM:
		if (ev->comm_sz)
			set_comm(t, ev->tid, ev->comm, ev->comm_sz);
		break;
	case PROC_FORK:
	case PROC_THREAD:
		on_fork(t, ev->tid, ev->parent_tid, time_ns);
		break;
	case PROC_EXIT:
	case PROC_THREAD_EXIT:
		if (!t->offline)
			note_end(t, ev->tid, time_ns);
		break;
	default:
		break;
	}
}

const char *tasks__comm(struct tasks *t, int32_t tid)
{
	struct task *task;

	if (tid == 0)
		return "swapper";
	task = task_of(t, tid);
	if (task)
		return task->comm;
	/* The thread is older than the recording, and tasks__scan() was not called for it. */
	if (!t->offline) {
		read_thread_comm(t, tid);
		task = task_of(t, tid);
	}
	if (task)
		return task->comm;
	snprintf(t->unknown, sizeof(t->unknown), ":%d", tid);
	return t->unknown;
}
