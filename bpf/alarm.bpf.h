/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* The alarm: wakes the reader of a flight recorder once a record came that triggers a dump. */
#ifndef BPFPERF_ALARM_BPF_H
#define BPFPERF_ALARM_BPF_H

#include <bpf/bpf_helpers.h>

#include "knobs.bpf.h"

/* One-page rings, in which each record wakes the reader. */
struct {
	__uint(type, BPF_MAP_TYPE_PERF_EVENT_ARRAY);
	__uint(key_size, sizeof(__u32));
	__uint(value_size, sizeof(__u32));
} alarms __weak SEC(".maps");

/* Set while the alarm is raised, so that it is not raised again; the reader resets it to 0. */
__u64 alarm_raised __weak = 0;

/* Number of records that triggered. */
__u64 trigger_cnt __weak = 0;

/*
 * Called after the record was sent or put into the batch, so that the dump contains it. Two CPUs
 * may raise the alarm at once, which costs at most one dump more.
 */
static __noinline int raise_alarm(void *ctx)
{
	__u64 nothing = 0;

	/*
	 * The reader resets the flag, then looks for records; this side has stored a record and now
	 * looks at the flag. Without a barrier on both sides each could miss the other. The
	 * addition is one on x86. (It must add something: adding 0 becomes an instruction that came
	 * with 5.12.)
	 */
	__sync_fetch_and_add(&trigger_cnt, 1);
	if (alarm_raised)
		return 0;
	alarm_raised = 1;
	/* The alarm did not reach the reader: the next record tries again. */
	if (bpf_perf_event_output(ctx, &alarms, BPF_F_CURRENT_CPU, &nothing, sizeof(nothing)))
		alarm_raised = 0;
	return 0;
}

#endif
