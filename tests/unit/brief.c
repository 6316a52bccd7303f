// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* Processes whose records are skipped, and those whose records must not be. */
#include "machine/brief.h"

#include "machine/proc_event.h"
#include "tap.h"

#define MS 1000000ull
#define PID 4711
#define PARENT 8150003

static struct proc_event event(enum proc_event_kind kind, int32_t pid, int32_t parent)
{
	return (struct proc_event){
		.kind = kind, .pid = pid, .tid = pid, .parent_pid = parent, .parent_tid = parent
	};
}

static void read_one(struct brief *b, enum proc_event_kind kind, int32_t pid, int32_t parent,
		     uint64_t time_ns)
{
	const struct proc_event ev = event(kind, pid, parent);

	brief__on_read(b, &ev, time_ns);
}

static bool skips(struct brief *b, enum proc_event_kind kind, int32_t pid, uint64_t time_ns,
		  uint64_t horizon_ns)
{
	const struct proc_event ev = event(kind, pid, PARENT);

	return brief__skips(b, &ev, time_ns, horizon_ns);
}

/* A life from 10 to 12 ms; the number of its four records that are skipped. */
static uint64_t turn(struct brief *b, uint64_t horizon_ns)
{
	return skips(b, PROC_FORK, PID, 10 * MS, horizon_ns) +
	       skips(b, PROC_EXEC, PID, 11 * MS, horizon_ns) +
	       skips(b, PROC_MMAP, PID, 11 * MS + 7, horizon_ns) +
	       skips(b, PROC_EXIT, PID, 12 * MS, horizon_ns);
}

static void live(struct brief *b)
{
	read_one(b, PROC_FORK, PID, PARENT, 10 * MS);
	read_one(b, PROC_EXIT, PID, PARENT, 12 * MS);
}

static void test_brief(void)
{
	struct brief b;

	brief__init(&b);
	is_u64(turn(&b, 500 * MS), 0, "a process that was not read is not skipped");
	live(&b);
	is_u64(turn(&b, 500 * MS), 4, "all records of a brief process are skipped");
	is_u64(turn(&b, 500 * MS), 0, "the id of a process is free behind its end");
	read_one(&b, PROC_EXIT, PID, PARENT, 12 * MS);
	read_one(&b, PROC_FORK, PID, PARENT, 10 * MS);
	is_u64(turn(&b, 500 * MS), 4, "a process is brief if its end is read before its begin");
	live(&b);
	is_u64(turn(&b, 13 * MS), 0, "a process that ended a moment ago may have a sample yet");
	live(&b);
	is_u64(turn(&b, 0), 0, "no process is brief while nothing is settled");
	read_one(&b, PROC_FORK, PID, PARENT, 10 * MS);
	is_u64(turn(&b, 500 * MS), 0, "a process whose end was not read is not skipped");
	brief__free(&b);
}

static void test_busy(void)
{
	struct brief b;

	brief__init(&b);
	live(&b);
	brief__on_sample(&b, PID);
	is_u64(turn(&b, 500 * MS), 0, "a process with a sample is not skipped");
	brief__on_sample(&b, PID);
	live(&b);
	is_u64(turn(&b, 500 * MS), 0, "a sample that is read before the begin counts");
	live(&b);
	read_one(&b, PROC_FORK, PID + 1, PID, 11 * MS);
	is_u64(turn(&b, 500 * MS), 0, "a process with a child is not skipped");
	is_u64(skips(&b, PROC_FORK, PID + 1, 11 * MS, 500 * MS), 0,
	       "a child that lives is not skipped");
	live(&b);
	read_one(&b, PROC_THREAD, PID, PID, 11 * MS);
	is_u64(turn(&b, 500 * MS), 0, "a process with a thread that may go on is not skipped");
	live(&b);
	is_u64(turn(&b, 500 * MS), 4, "the next process of that id is brief again");
	brief__free(&b);
}

/* One id, two processes: the first ends, and the second begins, before the turn of either. */
static void test_id_again(void)
{
	struct brief b;

	brief__init(&b);
	live(&b);
	read_one(&b, PROC_FORK, PID, PARENT, 13 * MS);
	read_one(&b, PROC_EXIT, PID, PARENT, 14 * MS);
	is_u64(turn(&b, 500 * MS), 0, "an id of two processes at once: the first is not skipped");
	is_u64(skips(&b, PROC_FORK, PID, 13 * MS, 500 * MS) +
		       skips(&b, PROC_EXIT, PID, 14 * MS, 500 * MS),
	       0, "an id of two processes at once: the second is not skipped");
	/* The first one began before the recording. */
	read_one(&b, PROC_EXIT, PID, PARENT, 9 * MS);
	live(&b);
	is_u64(skips(&b, PROC_EXIT, PID, 9 * MS, 500 * MS), 0, "an older process is not skipped");
	is_u64(turn(&b, 500 * MS), 0, "the process that has the same id next is not skipped");
	brief__free(&b);
}

static void test_lost(void)
{
	struct brief b;

	brief__init(&b);
	live(&b);
	read_one(&b, PROC_LOST, 0, 0, 20 * MS);
	is_u64(turn(&b, 500 * MS), 0, "a child may be among records that were lost");
	brief__free(&b);
	brief__init(&b);
	read_one(&b, PROC_LOST, 0, 0, 9 * MS);
	live(&b);
	is_u64(turn(&b, 500 * MS), 4, "a loss before the process began does not matter");
	brief__free(&b);
}

static void test_many(void)
{
	uint64_t t = MS, cnt = 0;
	struct brief b;
	int32_t i;

	brief__init(&b);
	for (i = 1; i <= 100003; i++, t += 2 * MS) {
		read_one(&b, PROC_FORK, i, PARENT, t);
		read_one(&b, PROC_EXIT, i, PARENT, t + MS);
		cnt += skips(&b, PROC_FORK, i, t, t + 500 * MS) &&
		       skips(&b, PROC_EXIT, i, t + MS, t + 500 * MS);
	}
	is_u64(cnt, 100003, "each of many brief processes is skipped");
	ok(b.cnt < 5 && b.by_pid.cap <= 64, "memory does not grow with the processes that ended");
	brief__free(&b);
}

int main(void)
{
	test_brief();
	test_busy();
	test_id_again();
	test_lost();
	test_many();
	return done_testing();
}
