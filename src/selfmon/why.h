/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Why the kernel lets no user space read the counters of a PMU, and what would. */
#ifndef BPFPERF_SELFMON_WHY_H
#define BPFPERF_SELFMON_WHY_H

#include <stdint.h>

/*
 * The reason and the remedy for an event of perf's `type` (UINT32_MAX: unknown) without
 * cap_user_rdpmc in its page, as one sentence. What it names exists on this machine: the PMU is
 * looked up in sysfs. Valid until the thread's next call.
 */
const char *why__refused(uint32_t type) __attribute__((visibility("hidden")));
/* Looks below `dir` for /sys and /proc, for tests; NULL: the real ones. */
void why__set_root(const char *dir) __attribute__((visibility("hidden")));

#endif
