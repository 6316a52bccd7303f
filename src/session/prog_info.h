/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* What the kernel tells of a loaded program. */
#ifndef BPFPERF_SESSION_PROG_INFO_H
#define BPFPERF_SESSION_PROG_INFO_H

#include <stdint.h>

/*
 * How often the kernel skipped a program so far, since it or another one was at work on that CPU:
 * bpf_prog_info.recursion_misses, of raw tracepoints from 5.12 on, of classic ones from 6.4. Programs
 * of perf events it does not count. 0 also where the fd is none or the kernel does not tell.
 */
uint64_t prog_info__missed(int fd);

#endif
