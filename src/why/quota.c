// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "why/quota.h"

/* Unless it is set (cpu.max, cpu.cfs_period_us); a period begins when throttled time ends. */
#define PERIOD_NS 100000000

uint64_t why_quota__covered_ns(struct why_quota *q, const struct why_step *step, size_t cause)
{
	uint64_t since = q->end_ns > PERIOD_NS ? q->end_ns - PERIOD_NS : 0;

	if (step->kind == WHY_THROTTLED)
		*q = (struct why_quota){ step->end_ns, step->thread, cause };
	if (step->kind != WHY_PREEMPTED || !q->end_ns || q->thread != step->thread ||
	    step->end_ns <= since)
		return 0;
	return step->end_ns - (step->begin_ns > since ? step->begin_ns : since);
}
