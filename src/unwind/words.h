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
/*
 * Encodes code that is at other addresses than in its file, as that of a JIT compiler: the segments
 * say where, and off is an offset from the table's base in memory. They are in order of off. What
 * has no rule is as if it had no table (UNWIND_NO_RULE_HERE). 0; -EFBIG: more than max words;
 * -ENOMEM.
 */
int unwind_words__place(const struct unwind_table *table, const struct unwind_segment *segments,
			size_t segment_cnt, size_t max, __u64 **words, size_t *cnt);

#endif
