/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Settings of the kernel that several rooms read: /proc/sys, and of PMUs in sysfs. */
#ifndef BPFPERF_HOST_SYSCTL_H
#define BPFPERF_HOST_SYSCTL_H

/* -1 to 3: what users without privileges may observe. 0 or -errno; then *level is as it was. */
int sysctl__perf_event_paranoid(long *level);
/* Samples per second of one event and CPU. 0 or -errno; then *hz is as it was. */
int sysctl__max_sample_rate(long *hz);
/* 1: the hard lockup detector is on. 0 or -errno: the kernel has none; then *on is as it was. */
int sysctl__nmi_watchdog(long *on);
/* Milliseconds after which the PMU rotates its groups. 0 or -errno; then *ms is as it was. */
int sysctl__mux_interval_ms(const char *pmu, long *ms);

#endif
