/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Has the call frame information of files read by readers (reader/reader.h). Errors are those of
 * unwind_file__read() and of reader__call().
 */
#ifndef BPFPERF_UNWIND_READ_TABLE_H
#define BPFPERF_UNWIND_READ_TABLE_H

#include "unwind/jit.h"
#include "unwind/table.h"

/* unwind_file__read(): rows are in order, and their rules exist. */
int read_table(int fd, struct unwind_table *table);
/* unwind_jit__read(), likewise. */
int read_table__jit(int fd, uint16_t machine, const struct unwind_jit *functions, size_t cnt,
		    struct unwind_table *table);
/*
 * unwind_words__make() of the table of a file. The caller frees *words; programs in the kernel can
 * do nothing wrong with them, whatever they are.
 */
int read_table__words(int fd, __u64 **words, size_t *cnt);

#endif
