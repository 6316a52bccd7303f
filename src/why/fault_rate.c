// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * A sample tells that a thread was in the kernel's page fault. A hypervisor that keeps page tables
 * of its own takes its time for a fault behind the kernel's, at the program's instruction: there
 * only the number of faults tells what the time was for.
 */
#include "why/fault_rate.h"

#include "why/names.h"

/* Smaller causes get no sentence, and going through all threads for each would take long. */
#define CAUSE_PART 20

static double rate_of(struct why_timeline *tl, const char *comm)
{
	uint64_t faults = 0, on_cpu_ns = 0;
	size_t i;

	for (i = 0; i < tl->thread_cnt; i++) {
		const struct why_thread *t = &tl->threads[i];

		if (!t->is_target || why_names__get(tl, (uint32_t)i) != comm)
			continue;
		faults += t->fault_cnt;
		on_cpu_ns += why_thread__on_cpu_ns(tl, t);
	}
	return on_cpu_ns ? (double)faults * 1e9 / (double)on_cpu_ns : 0;
}

void why_fault_rate__set(struct why_causes *c, struct why_timeline *tl)
{
	size_t i;

	for (i = 0; i < c->cnt && c->at[i].ns >= c->total_ns / CAUSE_PART; i++)
		if (why_kind__is_on_cpu(c->at[i].kind))
			c->at[i].faults_per_s = rate_of(tl, c->at[i].comm);
}
