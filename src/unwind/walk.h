/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Walks a user stack from recorded registers and memory, with the step function that also runs in
 * the kernel.
 */
#ifndef BPFPERF_UNWIND_WALK_H
#define BPFPERF_UNWIND_WALK_H

#include <stddef.h>
#include <stdint.h>

struct unwind_table;

/* Registers by DWARF's numbers, followed by the pc: x86-64 16 and 16, arm64 32 and 32. */
#define UNWIND_WALK_REGS 33
#define UNWIND_X86_64_PC 16
#define UNWIND_ARM64_PC 32

struct unwind_walk {
	uint64_t regs[UNWIND_WALK_REGS];
	/* Reads 8 bytes of memory at addr. Not 0: unavailable. */
	int (*read)(void *ctx, uint64_t addr, uint64_t *value);
	/*
	 * Finds the table of the mapping at pc, and pc as the file's own virtual address; NULL:
	 * none.
	 */
	const struct unwind_table *(*find)(void *ctx, uint64_t pc, uint64_t *vaddr);
	void *ctx;
};

/*
 * Collects the pcs of the frames, innermost first, at most max; returns their number. As in perf, a
 * caller's pc is its return address minus one, which is inside the call, unless a signal
 * interrupted the frame; a return address of 0 is a last frame at UINT64_MAX; the walk ends at the
 * outermost frame, or if the memory at a pc is unknown. 64-bit only.
 */
size_t unwind_walk__x86_64(const struct unwind_walk *w, uint64_t *pcs, size_t max);
size_t unwind_walk__arm64(const struct unwind_walk *w, uint64_t *pcs, size_t max);

#endif
