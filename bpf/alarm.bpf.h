/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* How a flight recorder's reader learns that a record came which triggers a dump. */
#ifndef BPFPERF_ALARM_BPF_H
#define BPFPERF_ALARM_BPF_H

#include <bpf/bpf_helpers.h>

#include "knobs.bpf.h"

/* Rings of a page, whose reader is woken by each record. */
struct {
	__uint(type, BPF_MAP_TYPE_PERF_EVENT_ARRAY);
	__uint(key_size, sizeof(__u32));
	__uint(value_size, sizeof(__u32));
} alarms __weak SEC(".maps");

/* Until the reader has taken note, others need not be raised: it sets this back to 0. */
__u64 alarm_raised __weak = 0;

/* Records that triggered. */
__u64 trigger_cnt __weak = 0;

/*
 * After the record was sent or put into the batch, so that the dump has it. Two CPUs may raise it
 * at once: that is one dump more at the most.
 */
static __noinline int raise_alarm(void *ctx)
{
	__u64 nothing = 0;

	/*
	 * The reader takes the flag back, then looks for records; here a record was left, now the flag is
	 * looked at. Without a barrier in both places each could miss the other: this addition is one
	 * on x86. (It must add something: adding 0 becomes an instruction that came with 5.12.)
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
