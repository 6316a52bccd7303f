/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * The walk of a user stack from recorded registers and memory, by the step that runs in the kernel.
 */
#ifndef BPFPERF_UNWIND_WALK_H
#define BPFPERF_UNWIND_WALK_H

#include <stddef.h>
#include <stdint.h>

struct unwind_table;

/* Registers by DWARF's numbers, and behind them the pc: x86-64 16 and 16, arm64 32 and 32. */
#define UNWIND_WALK_REGS 33
#define UNWIND_X86_64_PC 16
#define UNWIND_ARM64_PC 32

struct unwind_walk {
	uint64_t regs[UNWIND_WALK_REGS];
	/* 8 bytes of memory at addr. Not 0: they are not there. */
	int (*read)(void *ctx, uint64_t addr, uint64_t *value);
	/*
	 * The table of what is mapped at pc, and pc as that file's own address; NULL: there is
	 * none.
	 */
	const struct unwind_table *(*find)(void *ctx, uint64_t pc, uint64_t *vaddr);
	void *ctx;
};

/*
 * The pcs of the frames, innermost first, max at most; how many. As in perf, a caller's pc is one
 * less than its return address, which is in the call, unless a signal interrupted the frame; a
 * return address of 0 is a last frame at UINT64_MAX; the walk ends at the outermost frame, or where
 * nothing is known of the memory at a pc. 64-bit only.
 */
size_t unwind_walk__x86_64(const struct unwind_walk *w, uint64_t *pcs, size_t max);
size_t unwind_walk__arm64(const struct unwind_walk *w, uint64_t *pcs, size_t max);

#endif
