/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* The summary's part on split DWARF (-gsplit-dwarf). */
#ifndef BPFPERF_RUN_SPLIT_REPORT_H
#define BPFPERF_RUN_SPLIT_REPORT_H

struct sym;

/* Warns, once for each program, that inlined functions have no names, and of which file. */
void split_report__missing(const struct sym *sym);

#endif
