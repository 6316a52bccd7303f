/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* What bpfperf stat counts, and whom: the events of its runs, and their counters. */
#ifndef BPFPERF_CMD_STAT_OPEN_H
#define BPFPERF_CMD_STAT_OPEN_H

struct stat_cmd;

/* Before the first run: picks the events, and for --fit the runs they need. 0, or -errno (said). */
int stat_open__prepare(struct stat_cmd *st);
/* The counters of a run whose workload is prepared. 0, or -errno (said), also where they are not allowed. */
int stat_open__counters(struct stat_cmd *st);

#endif
