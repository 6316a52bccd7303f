/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Causes for the verdict: the time of one kind of thread in one kind of state is one, in however
 * many functions it was. Each is a cause that has the place of its largest part.
 */
#ifndef BPFPERF_WHY_GROUPS_H
#define BPFPERF_WHY_GROUPS_H

#include "why/causes.h"

struct why_groups {
	struct why_cause *at; /* the longest first; a CPU limit with what it covers */
	size_t cnt;
};

/* The causes are finished, and own the texts. 0 or -ENOMEM. */
int why_groups__make(struct why_groups *g, const struct why_causes *causes);
void why_groups__free(struct why_groups *g);

#endif
