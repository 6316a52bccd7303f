/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* What bpfperf stat knows without counters: elapsed time, and the processor time of whom it counts. */
#ifndef BPFPERF_CMD_STAT_TIMES_H
#define BPFPERF_CMD_STAT_TIMES_H

#include <stdint.h>

#include "stat/table.h"

struct stat_cmd;

/* Can they be known, where they are asked for? 0, or -EINVAL after one sentence. */
int stat_times__check(const struct stat_cmd *st);
/* Once st's threads of this run are known: whose processor time it is. 0 or -ENOMEM. */
int stat_times__find(struct stat_cmd *st);
/* Counting begins: all times are 0 now. */
void stat_times__begin(struct stat_cmd *st);
/* Asks for processor time once more: who ends now has what he had used by then. */
void stat_times__look(struct stat_cmd *st);
/* Since the beginning; zeros before it. */
struct stat_times stat_times__at(struct stat_cmd *st, uint64_t now_ns);

#endif
