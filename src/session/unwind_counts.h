/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#ifndef BPFPERF_SESSION_UNWIND_COUNTS_H
#define BPFPERF_SESSION_UNWIND_COUNTS_H

#include <stdint.h>

/* The sum over all CPUs of one element (UNWIND_CNT_…) of the walker's counts; 0 on failure. */
uint64_t unwind_counts__sum(int counts_fd, uint32_t what);

#endif
