/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Runs work needed at the end of a recording (reading symbol tables, naming samples) in a thread
 * while the recording goes on. The data of a job belongs to it until ahead__finish() has returned.
 */
#ifndef BPFPERF_SYM_AHEAD_H
#define BPFPERF_SYM_AHEAD_H

#include <stdbool.h>

struct ahead;

enum ahead_state {
	AHEAD_NONE,
	AHEAD_QUEUED,
	AHEAD_RUNNING,
	AHEAD_DONE,
};

struct ahead_job {
	void (*fn)(struct ahead_job *job);
	enum ahead_state state; /* AHEAD_NONE before it is queued */
	bool again; /* more work arrived while it ran */
	bool is_ahead; /* the thread runs it */
	/* set by the caller that queues it, or by fn: trim the heap after the job */
	bool frees_much;
	struct ahead_job *next;
};

/* NULL: out of memory; then no work is done ahead of time. Every function below accepts NULL. */
struct ahead *ahead__new(void);
/* Drops the queued jobs and waits for the running one. Owners free their jobs after this call. */
void ahead__free(struct ahead *ahead);
/*
 * Queues the job to run at some time, or once more if it has run or is running. The first call
 * starts the thread; if that fails, ahead__finish() does all the work.
 */
void ahead__queue(struct ahead *ahead, struct ahead_job *job);
/* Has the job run, and is it not to run again? Then its data is the caller's until it is queued. */
bool ahead__is_done(struct ahead *ahead, const struct ahead_job *job);
/* Completes the job: runs it here if it has not started, or waits for it. */
void ahead__finish(struct ahead *ahead, struct ahead_job *job);

#endif
