/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* What bpfperf stat prints, and when: what stands around the rows, rows or metrics, reasons. */
#ifndef BPFPERF_CMD_STAT_PRINT_H
#define BPFPERF_CMD_STAT_PRINT_H

struct stat_cmd;

/* What stands above the first interval; without -I nothing. */
void stat_print__begin(struct stat_cmd *st);
/* The rows as they are: 0 or -errno. time_s: since the start, for intervals. */
int stat_print__rows(struct stat_cmd *st, double time_s);
/* All of the runs, where -I has not printed them, and what stands below. 0 or -errno. */
int stat_print__all(struct stat_cmd *st);

#endif
