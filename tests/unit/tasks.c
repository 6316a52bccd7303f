// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* Names of threads over time: what records tell, what /proc does, and for how long. */
#include "machine/tasks.h"

#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "data/proc_layout.h"
#include "machine/proc_event.h"
#include "tap.h"

#define SEC 1000000000ull

/* No thread has this id: more than there can be (PID_MAX_LIMIT). */
#define GONE 0x7fffff01

static void apply(struct tasks *t, const struct perf_event_header *hdr, uint64_t time_ns)
{
	struct proc_event ev;

	proc_event__parse(hdr, &ev);
	tasks__on_event(t, &ev, time_ns);
}

static void comm(struct tasks *t, int32_t tid, const char *name, uint16_t misc, uint64_t time_ns)
{
	struct {
		struct comm_record rec;
		char name[64];
	} r = { .rec = { .hdr = { PERF_RECORD_COMM, misc, sizeof(r) },
			 .pid = (uint32_t)tid,
			 .tid = (uint32_t)tid } };

	memcpy(r.name, name, strlen(name));
	apply(t, &r.rec.hdr, time_ns);
}

static void fork_or_exit(struct tasks *t, uint32_t type, int32_t tid, int32_t parent,
			 uint64_t time_ns)
{
	const struct fork_record r = { { type, 0, sizeof(r) }, (uint32_t)tid,    (uint32_t)parent,
				       (uint32_t)tid,          (uint32_t)parent, time_ns };

	apply(t, &r.hdr, time_ns);
}

static void test_life(void)
{
	struct tasks *t = tasks__new();

	comm(t, GONE, "kworker/u16:7-events_freezable_pwr_efficient", 0, SEC);
	is_str(tasks__comm(t, GONE), "kworker/u16:7-events_freezable_pwr_efficient",
	       "a name of a recording that is longer than the kernel's own names");
	comm(t, GONE, "parent", 0, SEC);
	fork_or_exit(t, PERF_RECORD_FORK, GONE + 2, GONE, 2 * SEC);
	is_str(tasks__comm(t, GONE + 2), "parent", "a child has its parent's name");
	comm(t, GONE + 2, "child", PERF_RECORD_MISC_COMM_EXEC, 3 * SEC);
	is_str(tasks__comm(t, GONE + 2), "child", "a child has another name from its exec on");
	fork_or_exit(t, PERF_RECORD_EXIT, GONE + 2, GONE, 4 * SEC);
	fork_or_exit(t, PERF_RECORD_FORK, GONE + 4, GONE, 4 * SEC + 1);
	is_str(tasks__comm(t, GONE + 2), "child",
	       "a child is remembered for a moment after its end");
	fork_or_exit(t, PERF_RECORD_FORK, GONE + 4, GONE, 6 * SEC);
	is_str(tasks__comm(t, GONE + 2), ":2147483395", "a child is forgotten after that moment");
	tasks__free(t);
}

/* A thread other than the first calls exec: the first one ends, and the caller has its id. */
static void test_exec_of_thread(void)
{
	struct tasks *t = tasks__new();

	comm(t, GONE, "threads", 0, SEC);
	fork_or_exit(t, PERF_RECORD_EXIT, GONE, 1, 2 * SEC);
	comm(t, GONE, "execed", PERF_RECORD_MISC_COMM_EXEC, 2 * SEC + 7);
	fork_or_exit(t, PERF_RECORD_FORK, GONE + 2, GONE, 9 * SEC);
	is_str(tasks__comm(t, GONE), "execed", "a process lives on whose thread calls exec");
	is_str(tasks__comm(t, GONE + 2), "execed",
	       "children after an exec of a thread have the new name");
	tasks__free(t);
}

/* This thread stands for one of the kernel's: its parent is the one that the record names. */
static void test_kernel_threads(void)
{
	struct tasks *t = tasks__new(), *offline = tasks__new();

	tasks__set_offline(offline);
	prctl(PR_SET_NAME, "kworker/0:2-eve");
	is_str(tasks__comm(t, getpid()), "kworker/0:2", "a worker has no work in its name");
	comm(t, 2, "kthreadd", 0, SEC);
	comm(offline, 2, "kthreadd", 0, SEC);
	comm(t, getpid(), "former", 0, SEC);
	prctl(PR_SET_NAME, "kthread/17");
	fork_or_exit(t, PERF_RECORD_FORK, getpid(), 2, 2 * SEC);
	is_str(tasks__comm(t, getpid()), "kthread/17", "a thread of the kernel's has its own name");
	fork_or_exit(t, PERF_RECORD_FORK, GONE, 2, 2 * SEC);
	is_str(tasks__comm(t, GONE), ":2147483393",
	       "a thread of the kernel's that is gone has its id");
	fork_or_exit(offline, PERF_RECORD_FORK, getpid(), 2, 2 * SEC);
	is_str(tasks__comm(offline, getpid()), "kthreadd", "in a recording its name is unknown");
	tasks__free(t);
	tasks__free(offline);
}

int main(void)
{
	test_life();
	test_exec_of_thread();
	test_kernel_threads();
	return done_testing();
}
