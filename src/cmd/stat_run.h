/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* One run of bpfperf stat: counters open, count, are read, close. */
#ifndef BPFPERF_CMD_STAT_RUN_H
#define BPFPERF_CMD_STAT_RUN_H

#include <stddef.h>

struct stat_cmd;

/* Runs and reads once, the events of run `fit` of fit_cnt. 0, or -errno (said). */
int stat_run__once(struct stat_cmd *st, size_t fit);
/* What stat_open__prepare() and the runs made. */
void stat_run__free(struct stat_cmd *st);

#endif
