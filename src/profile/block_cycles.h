/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Cycles of blocks of code, from branch stacks that have cycles: a block begins where a branch led,
 * and ends with the next branch. As in perf a block is known by its end: of blocks with one end
 * that begin at several places of their function, the longest one is printed for all.
 */
#ifndef BPFPERF_PROFILE_BLOCK_CYCLES_H
#define BPFPERF_PROFILE_BLOCK_CYCLES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "util/u64map.h"

struct hist;
struct hist_addr;
struct hist_entries;

struct code_block {
	uint32_t func; /* index into hist.funcs */
	uint32_t start, end; /* offsets in the function, in bytes; the end is that of the branch */
	bool has_start, is_kernel;
	bool is_shown; /* block_cycles__select() */
	uint64_t place; /* of the function's first byte */
	uint64_t all_cycles, all_cnt; /* of all blocks with this end */
	uint64_t cycles, cnt; /* of those with this start */
};

/* Zeroed: empty. */
struct block_cycles {
	struct code_block *all;
	size_t cnt, cap;
	struct u64map by_end;
	uint64_t total; /* cycles of all branches, which the caller adds up */
};

/*
 * Adds the block that ends with a branch at `from`; since: the target of the branch before it, NULL
 * if that is unknown. 0 or -ENOMEM.
 */
int block_cycles__add(struct block_cycles *b, const struct hist *hist, const struct hist_addr *from,
		      const struct hist_addr *since, unsigned int cycles);
/*
 * Selects the blocks of functions that are targets of branches in the lines of an event; sum: of
 * the mean cycles of these blocks, each as often as there are such lines, as in perf. 0 or -ENOMEM.
 */
int block_cycles__select(struct block_cycles *b, const struct hist_entries *lines, uint64_t *sum);
/* Sorts the blocks: those with most cycles first. No more are added. */
void block_cycles__sort(struct block_cycles *b, const struct hist *hist);
void block_cycles__free(struct block_cycles *b);

#endif
