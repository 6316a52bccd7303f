/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* The result of a measurement: the path, its causes, and what else is worth a sentence. */
#ifndef BPFPERF_WHY_RESULT_H
#define BPFPERF_WHY_RESULT_H

#include "why/ended.h"
#include "why/groups.h"

/* The end of this thread is explained, where no request is. All 0: the target's least idle one. */
struct why_subject {
	int32_t tid; /* this one, which is CMD's first */
	const int *pids, *tids; /* the least idle of these processes and threads */
	size_t pid_cnt, tid_cnt;
};

struct why_result {
	struct why_timeline *tl; /* not owned */
	struct why_index index;
	struct why_path path; /* of the whole time, or of the last request */
	struct why_causes causes;
	struct why_groups groups; /* of causes */
	struct why_ended ended; /* by the threads of the largest group */
	struct why_causes all; /* of all threads, on the path or not: times off the CPU */
	uint32_t thread; /* the one that the path ends in; WHY_NONE: there is no path */
	const char *title; /* CMD, or the source of the measurement */
	bool has_requests; /* --from, --to: causes are of all of them */
	uint64_t lost_cnt; /* records that were lost */
};

/*
 * Explains the timeline, which has been finished. The caller has set title, has_requests and
 * lost_cnt. 0 or -ENOMEM; the result is freed in any case.
 */
int why_result__find(struct why_result *res, struct why_timeline *tl,
		     const struct why_subject *subject);
void why_result__free(struct why_result *res);

#endif
