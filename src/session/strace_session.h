/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * A session of strace, on the entry and the return of system calls: open → load → attach → activate
 * → deactivate → free. Between load and attach, the caller opens rings on rings_fd.
 */
#ifndef BPFPERF_SESSION_STRACE_SESSION_H
#define BPFPERF_SESSION_STRACE_SESSION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "session/unwinder.h"

struct cpus;
struct strace_call;
struct strace_filter;
struct strace_count;
struct strace_thread;
struct targets;

struct strace_session;

struct strace_config {
	const struct targets *targets; /* outlives the session */
	bool by_task; /* targets__by_task() */
	pid_t cmd_pid; /* CMD's process, watched from its exec on; 0: none */
	const char *cmd_path; /* its program; NULL: none */
	size_t ring_sz; /* bytes of each ring that will be opened; 0: large */
	const struct strace_call *calls; /* STRACE_ABIS * STRACE_CALLS; needed until load */
	bool counts; /* calls are counted */
	bool counts_only; /* calls are counted, and not sent */
	bool only_successful, only_failed;
	uint64_t min_ns; /* only calls that take at least this long */
	bool no_signals; /* signals are not sent */
	bool has_budget; /* calls are counted for --budget, and can be stopped */
	bool user_stack; /* a stack with each call */
	bool files; /* the files of descriptors are described */
	struct strace_filter
		*filter; /* --filter; NULL: all calls. Not owned; outlives the session */
};

/* Returns NULL after one sentence. */
struct strace_session *strace_session__open(const struct strace_config *cfg);
/* Verifies and loads the programs. Returns 0 or -errno (logged, with the remedy). */
int strace_session__load(struct strace_session *s);
/* Attaches. Returns 0 or -errno (logged). */
int strace_session__attach(struct strace_session *s);
/* Lets records leave the kernel from the returned time on: CLOCK_MONOTONIC, ns … */
uint64_t strace_session__activate(struct strace_session *s);
/* … up to this one: after the return, no program is sending any more. */
uint64_t strace_session__deactivate(struct strace_session *s);
/* Detaches and frees; NULL is accepted. */
void strace_session__free(struct strace_session *s);

/*
 * After deactivate: calls each(ctx, thread) for each thread that is inside of a call. Returns 0, or
 * the value that each returned.
 */
int strace_session__unfinished(const struct strace_session *s,
			       int (*each)(void *ctx, const struct strace_thread *t), void *ctx);
/* Returns the sum of all CPUs for one call, by its index in the table. 0 or -errno. */
int strace_session__count(const struct strace_session *s, uint32_t call, struct strace_count *sum);
/* Stops a call: it is counted as skipped, and no longer sent. Returns 0 or -errno. */
int strace_session__stop_call(const struct strace_session *s, uint32_t call);
/* Returns the runs of the programs that the kernel skipped between activate and deactivate. */
uint64_t strace_session__missed(const struct strace_session *s);
/* Returns the calls that found no room for their thread's state. */
uint64_t strace_session__refused(const struct strace_session *s);

/* For the source: see trace_session.h. */
int strace_session__rings_fd(const struct strace_session *s);
int strace_session__flush_fd(const struct strace_session *s);
int strace_session__helper_fd(const struct strace_session *s);
const struct cpus *strace_session__cpus(const struct strace_session *s);
/* Returns NULL without user_stack, or where the kernel walks stacks. */
struct unwinder *strace_session__unwinder(const struct strace_session *s);

#endif
