/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Before 6.15 the driver of Apple's PMUs refuses an event that counts guests of the kernel, too,
 * since it cannot leave them out (kernel: m1_pmu_set_event_filter()).
 */
#ifndef BPFPERF_KERNEL_GUEST_EVENTS_H
#define BPFPERF_KERNEL_GUEST_EVENTS_H

#include <errno.h>
#include <linux/perf_event.h>
#include <stdbool.h>

/* Leaves guests out of an event that was refused with err. False: that cannot be the reason. */
static inline bool guest_events__leave_out(struct perf_event_attr *attr, int err)
{
	if (err != -EOPNOTSUPP || attr->exclude_guest || attr->exclude_host)
		return false;
	attr->exclude_guest = 1;
	return true;
}

#endif
