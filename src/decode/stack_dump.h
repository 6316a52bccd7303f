/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * User stacks recorded as registers and memory (perf record --call-graph dwarf), unwound by the
 * call frame information of the mapped files.
 */
#ifndef BPFPERF_DECODE_STACK_DUMP_H
#define BPFPERF_DECODE_STACK_DUMP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "unwind/walk.h"

/* Maximum number of frames: perf's default, and the upper limit. */
#define STACK_DEFAULT 127
#define STACK_MAX 1024

struct perf_sample;
struct recording;
struct sym;
struct stack_dump;

/* Registers and the stack from the stack pointer on, copied from a thread of this machine. */
struct stack_copy {
	int32_t pid;
	bool is_arm64;
	uint64_t regs[UNWIND_WALK_REGS]; /* by DWARF's numbers, then the pc */
	const uint8_t *stack; /* not owned */
	size_t stack_sz;
};

/*
 * sym and rec outlive the returned object; rec NULL: for stack_dump__walk() alone. NULL with errno
 * ENOMEM.
 */
struct stack_dump *stack_dump__new(struct sym *sym, const struct recording *rec);
void stack_dump__free(struct stack_dump *us);
/*
 * Unwinds a sample's stack with the mappings of the sample's time: at most max addresses, innermost
 * first; callers' addresses lie within the call (unwind/walk.h). Returns their number; 0 if the
 * sample has no copy of its stack.
 */
size_t stack_dump__unwind(struct stack_dump *us, const struct perf_sample *s, uint64_t *addrs,
			  size_t max);
/* Variant of stack_dump__unwind() for a copy of a live thread's stack. */
size_t stack_dump__walk(struct stack_dump *us, const struct stack_copy *copy, uint64_t *addrs,
			size_t max);
/* Fills the registers of a copy from cnt words of the kernel's struct pt_regs (user_pt_regs). */
void stack_dump__take_pt_regs(bool is_arm64, const uint64_t *pt_regs, size_t cnt, uint64_t *regs);

#endif
