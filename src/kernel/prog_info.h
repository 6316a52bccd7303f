/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Facts that the kernel reports about a loaded program. */
#ifndef BPFPERF_KERNEL_PROG_INFO_H
#define BPFPERF_KERNEL_PROG_INFO_H

#include <stdint.h>

/*
 * Returns how often the kernel has skipped a program because a program was already running on that
 * CPU: bpf_prog_info.recursion_misses, which exists from 5.12 on (9ed9e9ba2337). Raw tracepoints
 * are skipped, and counted, from 6.1 on (05b24ff9b2cf). Classic tracepoints are skipped by every
 * kernel, and counted from 6.7 on (dd8657894c11). Skipped programs of perf events are not counted.
 * Returns 0 also when fd is negative or the kernel has no such field.
 */
uint64_t prog_info__missed(int fd);

#endif
