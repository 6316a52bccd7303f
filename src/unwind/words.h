/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Encodes a table in the format of the walker in the kernel (bpf/unwind_wire.h). */
#ifndef BPFPERF_UNWIND_WORDS_H
#define BPFPERF_UNWIND_WORDS_H

#include "unwind/table.h"

/*
 * Encodes a table with rows relative to byte 0 of the file: addresses outside of executable
 * segments are omitted. *cnt is the number of words; the caller frees them. NULL: no memory.
 */
__u64 *unwind_words__make(const struct unwind_table *table, size_t *cnt);

#endif
