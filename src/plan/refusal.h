/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Sentences about events that the kernel refuses. */
#ifndef BPFPERF_PLAN_REFUSAL_H
#define BPFPERF_PLAN_REFUSAL_H

#include "plan/plan.h"
#include "util/strbuf.h"

/* Adds to `out` why event `at` of an opened plan was refused: half a sentence, with the remedy. */
void refusal__put(const struct plan *plan, size_t at, struct strbuf *out);

#endif
