/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* record --call-graph lbr: the processor's stack of calls is the user part of a callchain. */
#ifndef BPFPERF_DECODE_CALL_STACK_H
#define BPFPERF_DECODE_CALL_STACK_H

#include "data/perf_sample.h"
#include "util/strbuf.h"

/*
 * Replaces the user part of s->callchain, which was found by frame pointers, by the places of the
 * calls in s->branches, if these are a stack of calls; the place of the sample stays in front. The
 * words are in `words`, until its next use. Without memory the callchain stays as it is.
 */
void call_stack__join(struct perf_sample *s, struct strbuf *words);

#endif
