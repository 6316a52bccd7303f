/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Threads that have lines of strace, each as long as it lives. */
#ifndef BPFPERF_STRACE_PRINTED_THREADS_H
#define BPFPERF_STRACE_PRINTED_THREADS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "strace/call.h"
#include "util/strbuf.h"
#include "util/u64map.h"

#define HELD_SIGNALS 4

struct printed_thread {
	uint32_t tid;
	bool is_live;
	uint32_t exec_tid; /* the thread that has ended it by exec; or 0 */
	char name[16]; /* in the last line */
	struct wire_call *begun; /* record of a call that has begun; NULL: none */
	size_t begun_sz; /* bytes that it has room for */
	struct strbuf begun_stack; /* lines of its stack */
	struct wire_exec *exec; /* the program that an execve runs; NULL: none */
	const char *interrupted; /* the call that a restart_syscall resumes; NULL: none */
	/* Signals that are printed after the call that the thread is inside of. */
	struct wire_signal held[HELD_SIGNALS];
	unsigned int held_cnt;
	/* The last signal that was sent to it and not delivered: it may end the process. */
	struct wire_signal sent;
	uint32_t next_unused; /* of a place without a thread: the next such place, plus one */
};

struct printed_threads {
	struct u64map by_tid;
	struct printed_thread *threads;
	size_t cnt, cap, live_cnt;
	uint32_t first_unused; /* plus one; 0: none */
};

void printed_threads__free(struct printed_threads *ts);
/* The thread of that number; NULL: it has no lines. */
struct printed_thread *printed_threads__find(const struct printed_threads *ts, uint32_t tid);
/* The thread of that number, which is new if it has exited before. NULL: no memory. */
struct printed_thread *printed_threads__get(struct printed_threads *ts, uint32_t tid);
/* Forgets a thread that has ended: its place, and its number, are for others. */
void printed_threads__retire(struct printed_threads *ts, struct printed_thread *t);

#endif
