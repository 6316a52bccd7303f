/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Branch stacks summed up: each branch with the one that was taken next, and their number. */
#ifndef BPFPERF_PROFILE_BRANCH_SUMS_H
#define BPFPERF_PROFILE_BRANCH_SUMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct sym;

/* The branches before one sample, newest first; of a process's addresses. */
struct branch_stack {
	int32_t pid;
	uint64_t ip;
	const uint64_t *words; /* from, to and flags of each, as in struct perf_branch_entry */
	size_t cnt;
};

/* Kernel code, or code of another file than the program's. */
#define BRANCH_ELSEWHERE 0

/*
 * A branch, up to the one that was taken next: the code from `to` to `next` ran without a branch
 * taken. A single place has `from` alone.
 */
struct branch_run {
	uint64_t from, to, next;
	uint64_t cnt, missed; /* how often, and how often it was predicted wrong */
};

/* Runs, equal ones summed up from time to time, so that their number is bounded by the code's. */
struct branch_runs {
	struct branch_run *runs;
	size_t cnt, cap;
	size_t merged; /* as many were in order, and differed, when they were summed up */
};

/* All numbers are places (sym__place()), or BRANCH_ELSEWHERE. Zeroed: empty. */
struct branch_sums {
	struct branch_runs branches;
	struct branch_runs places; /* the samples' own addresses */
};

/* The part of one program or library, in order; numbers are offsets in its file, or addresses. */
struct branch_program {
	const char *path; /* NULL: there is none; owned by sym */
	struct branch_runs taken; /* branches, whatever came next: from, to */
	/* Code between branches: from, to; by address, next is 1 if it was entered from another
	 * function. */
	struct branch_runs fall;
	struct branch_runs places; /* samples: from */
};

/*
 * Adds the branch stack of a sample and its address. Branches of a path that was taken by
 * speculation alone are left out, and so is a copy of the newest branch that cannot be a loop, as
 * some processors write it. 0 or -ENOMEM.
 */
int branch_sums__add(struct branch_sums *sums, struct sym *sym, const struct branch_stack *s);
/*
 * Fills *of with the sums of the file from which most branches were taken, of those with this path
 * or name (NULL: of all); by the addresses that the linker has given (by_addr), or by offset in the
 * file. 0; -ENOENT: the file cannot be read, which has the addresses; -ENOMEM.
 */
int branch_sums__of_program(struct branch_sums *sums, struct sym *sym, const char *name,
			    bool by_addr, struct branch_program *of);
void branch_program__free(struct branch_program *of);
void branch_sums__free(struct branch_sums *sums);

#endif
