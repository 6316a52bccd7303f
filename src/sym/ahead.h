/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Work that will be wanted at the end of a recording (reading symbol tables, naming what was
 * sampled), done while it runs, in a thread. What a job touches belongs to it until
 * ahead__finish() has returned.
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
	bool again; /* there was more to do while it ran */
	/* set by the caller that queues it, or by fn: the heap is trimmed after it */
	bool frees_much;
	struct ahead_job *next;
};

/* NULL: no memory; then nothing is done ahead, which every call below bears with. */
struct ahead *ahead__new(void);
/* Drops what is queued and waits for what runs. The jobs' owners free them after it. */
void ahead__free(struct ahead *ahead);
/*
 * To be run some time, once more where it was run or runs. The first starts the thread; where
 * that fails, ahead__finish() does all.
 */
void ahead__queue(struct ahead *ahead, struct ahead_job *job);
/* Returns when nothing of the job is left to do: does it here where it has not begun, or waits. */
void ahead__finish(struct ahead *ahead, struct ahead_job *job);

#endif
