/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Processes and what each has mapped, by pid, also for a while after their end. */
#ifndef BPFPERF_SYM_PROCS_H
#define BPFPERF_SYM_PROCS_H

#include <stdbool.h>
#include <stdint.h>

#include "sym/maps.h"
#include "util/u64map.h"

/* Processes that ended and are still known, for what arrives after their end. */
#define PROCS_DEAD_MAX 1024

struct proc {
	int32_t pid;
	uint32_t life; /* counts exits, so that a pid that is used again is told apart */
	bool dead;
	struct maps *maps; /* NULL: no memory for it */
	uint32_t jit; /* dso of what a JIT compiler writes in it; 0: not met yet */
	uint32_t jit_parent; /* dso of what it was forked with; 0: none */
};

struct procs {
	struct proc *procs;
	uint32_t cnt, cap;
	uint32_t *free_procs; /* indexes to use again; as many as procs */
	uint32_t free_cnt;
	struct u64map by_pid;
	struct {
		uint32_t proc, life;
	} dead[PROCS_DEAD_MAX];
	uint64_t dead_cnt; /* in all; the ring's position */
};

/* Zeroed is empty. */
void procs__free(struct procs *procs);
/* NULL: unknown. Valid until the next procs__set(). */
struct proc *procs__find(struct procs *procs, int32_t pid);
/*
 * The process with these mappings (their reference is taken over), whatever it had before; of
 * JIT-compiled functions it has none. NULL: no memory.
 */
struct proc *procs__set(struct procs *procs, int32_t pid, struct maps *maps);
/* Its end: it is forgotten once PROCS_DEAD_MAX others have ended after it. */
void procs__end(struct procs *procs, int32_t pid);

#endif
