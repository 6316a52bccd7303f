/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * User stacks that were recorded as registers and memory (perf record --call-graph dwarf), unwound by the
 * call frame information of the files that were mapped.
 */
#ifndef BPFPERF_DECODE_STACK_DUMP_H
#define BPFPERF_DECODE_STACK_DUMP_H

#include <stddef.h>
#include <stdint.h>

/* Frames of a stack: as perf has it, and what can be asked for. */
#define STACK_DEFAULT 127
#define STACK_MAX 1024

struct perf_sample;
struct recording;
struct sym;
struct stack_dump;

/* sym and rec outlive it. NULL and errno ENOMEM. */
struct stack_dump *stack_dump__new(struct sym *sym, const struct recording *rec);
void stack_dump__free(struct stack_dump *us);
/*
 * The addresses of a sample's stack at this point of the stream, innermost first, max at most, callers'
 * in the call (unwind/walk.h). How many; 0 where the sample has no copy of its stack.
 */
size_t stack_dump__unwind(struct stack_dump *us, const struct perf_sample *s, uint64_t *addrs,
			  size_t max);

#endif
