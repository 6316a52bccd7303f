/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Unwind tables of code that a JIT compiler wrote: its dump has the bytes (sym/jit_dump.h). */
#ifndef BPFPERF_UNWIND_JIT_H
#define BPFPERF_UNWIND_JIT_H

#include <stddef.h>
#include <stdint.h>

#include "unwind/table.h"

/* A function with unwinding information, by offsets in the dump. */
struct unwind_jit {
	uint64_t code, code_sz;
	/* the .eh_frame, as if it were 8-byte aligned behind the code; of 0 bytes: see below */
	uint64_t frame, frame_sz;
};

/*
 * Makes the table of a dump whose functions are at their offsets. A function with an empty
 * .eh_frame keeps a frame pointer: so says a compiler that has no more to tell (the jitdump
 * specification on records of 0 mapped bytes). What names other places than its function is
 * skipped. 0; -ENODATA: nothing is left; -ENOTSUP: another machine; -ENOMEM.
 */
int unwind_jit__read(struct unwind_table *table, int fd, uint16_t machine,
		     const struct unwind_jit *functions, size_t cnt);

#endif
