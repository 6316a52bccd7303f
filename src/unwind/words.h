/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* A table as the walker in the kernel reads it (bpf/unwind_wire.h). */
#ifndef BPFPERF_UNWIND_WORDS_H
#define BPFPERF_UNWIND_WORDS_H

#include "unwind/table.h"

/*
 * The words of a table whose rows count from byte 0 of the file: what is outside of executable
 * segments is left out. Their number to *cnt; the caller frees. NULL: no memory.
 */
__u64 *unwind_words__make(const struct unwind_table *table, size_t *cnt);

#endif
