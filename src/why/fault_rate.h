/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* How often the threads of a cause had page faults while they were on a CPU. */
#ifndef BPFPERF_WHY_FAULT_RATE_H
#define BPFPERF_WHY_FAULT_RATE_H

#include "why/causes.h"

/* Sets faults_per_s of the causes on a CPU that are large enough for a sentence. */
void why_fault_rate__set(struct why_causes *c, struct why_timeline *tl);

#endif
