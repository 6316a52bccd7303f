/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Events of a processor's trace that are no code in the form of `perf script -F synth`. */
#ifndef BPFPERF_SINK_SCRIPT_SYNTH_H
#define BPFPERF_SINK_SCRIPT_SYNTH_H

#include "util/strbuf.h"

struct perf_sample;

/* Puts what an event of PERF_TYPE_SYNTH says, padded. */
void script_synth__put(struct strbuf *out, const struct perf_sample *s);

#endif
