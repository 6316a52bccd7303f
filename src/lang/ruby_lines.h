/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* The table of lines of Ruby's code: iseq_insn_info, succ_index_table (iseq.c of 3.1, 3.3). */
#ifndef BPFPERF_LANG_RUBY_LINES_H
#define BPFPERF_LANG_RUBY_LINES_H

#include <stddef.h>
#include <stdint.h>

/*
 * Returns the line of the call that a frame is in, or 0: it has none, or its entry did not fit.
 * table: struct ruby_lines and what follows it (bpf/ruby_wire.h). insn: the word behind the
 * instruction that called, counted from the first one.
 */
uint32_t ruby_lines__find(const uint8_t *table, size_t sz, uint32_t insn);

#endif
