/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* The table of lines of a code object: co_linetable of 3.11 and later (Objects/locations.md). */
#ifndef BPFPERF_LANG_PYTHON_LINES_H
#define BPFPERF_LANG_PYTHON_LINES_H

#include <stddef.h>
#include <stdint.h>

/*
 * Returns the line of an instruction, which is counted in code units, or 0: it has none, or the
 * table ends before. first_line: co_firstlineno.
 */
uint32_t python_lines__find(const uint8_t *table, size_t sz, int32_t first_line, uint32_t instr);

#endif
