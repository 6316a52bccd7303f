/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * The absences and samples of each thread, in the order of time: a search begins where the one
 * before it ended.
 */
#ifndef BPFPERF_WHY_INDEX_H
#define BPFPERF_WHY_INDEX_H

#include "why/timeline.h"

/* The absences of thread t are absences[absence_at[t]] to absences[absence_at[t + 1] - 1]. */
struct why_index {
	const struct why_timeline *tl; /* finished, and not changed since */
	uint32_t *absences, *absence_at;
	uint32_t *samples, *sample_at;
	uint32_t *absence_hints, *sample_hints; /* by thread: positions that were found last */
};

/* 0 or -ENOMEM; free it in any case. */
int why_index__build(struct why_index *ix, const struct why_timeline *tl);
void why_index__free(struct why_index *ix);

/*
 * The newest absence of the thread that began before a time; WHY_NONE: none is kept. *next: the
 * absence after it, or the first of the thread; WHY_NONE: there is none.
 */
uint32_t why_index__absence_before(const struct why_index *ix, uint32_t thread, uint64_t time_ns,
				   uint32_t *next);
/* The newest sample of the thread up to a time; WHY_NONE: none is kept. */
uint32_t why_index__sample_until(const struct why_index *ix, uint32_t thread, uint64_t time_ns);

#endif
