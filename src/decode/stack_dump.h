/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * User stacks recorded as registers and memory (perf record --call-graph dwarf), unwound by the
 * call frame information of the mapped files.
 */
#ifndef BPFPERF_DECODE_STACK_DUMP_H
#define BPFPERF_DECODE_STACK_DUMP_H

#include <stddef.h>
#include <stdint.h>

/* Maximum number of frames: perf's default, and the upper limit. */
#define STACK_DEFAULT 127
#define STACK_MAX 1024

struct perf_sample;
struct recording;
struct sym;
struct stack_dump;

/* sym and rec outlive the returned object. NULL with errno ENOMEM. */
struct stack_dump *stack_dump__new(struct sym *sym, const struct recording *rec);
void stack_dump__free(struct stack_dump *us);
/*
 * Unwinds a sample's stack with the mappings of the sample's time: at most max addresses, innermost
 * first; callers' addresses lie within the call (unwind/walk.h). Returns their number; 0 if the
 * sample has no copy of its stack.
 */
size_t stack_dump__unwind(struct stack_dump *us, const struct perf_sample *s, uint64_t *addrs,
			  size_t max);

#endif
