/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Processes and their mappings, by pid, also for a while after their end. */
#ifndef BPFPERF_SYM_PROCS_H
#define BPFPERF_SYM_PROCS_H

#include <stdbool.h>
#include <stdint.h>

#include "sym/later_maps.h"
#include "sym/maps.h"
#include "util/u64map.h"

/* Number of ended processes that are kept for late samples. */
#define PROCS_DEAD_MAX 1024

struct proc {
	int32_t pid;
	uint32_t life; /* counts exits, to distinguish processes that reuse a pid */
	bool dead;
	struct maps *maps; /* NULL: out of memory */
	bool is_crowded; /* most of MAPS_MAX mappings are there at once */
	bool is_full; /* it was said that a mapping had no room */
	struct later_maps later; /* that are not in maps yet */
	uint32_t jit; /* dso of JIT-compiled code in the process; 0: not met yet */
	uint32_t jit_parent; /* the parent's JIT dso at fork; 0: none */
	uint32_t dump; /* dso of the dump that its JIT compiler writes; 0: none */
	uint32_t program; /* dso of the first file mapped as code; 0: none yet */
};

struct procs {
	struct proc *procs;
	uint32_t cnt, cap;
	uint32_t *free_procs; /* indexes for reuse; as many as procs */
	uint32_t free_cnt;
	struct u64map by_pid;
	struct {
		uint32_t proc, life;
	} dead[PROCS_DEAD_MAX];
	uint64_t dead_cnt; /* total; determines the position in the ring */
	uint64_t change_cnt; /* of processes and their mappings */
};

/* A zeroed struct is empty. */
void procs__free(struct procs *procs);
/* NULL: unknown. Valid until the next procs__set(). */
struct proc *procs__find(struct procs *procs, int32_t pid);
/*
 * Sets the process with these mappings (takes over their reference), replacing any earlier state;
 * it has no JIT-compiled functions. NULL: no memory.
 */
struct proc *procs__set(struct procs *procs, int32_t pid, struct maps *maps);
/* Marks its end: it is forgotten after PROCS_DEAD_MAX other processes have ended. */
void procs__end(struct procs *procs, int32_t pid);

#endif
