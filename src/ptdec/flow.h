/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Decodes the chunks of a job: packets and code to items. */
#ifndef BPFPERF_PTDEC_FLOW_H
#define BPFPERF_PTDEC_FLOW_H

#include "tracedec/answer.h"
#include "tracedec/job.h"

struct flow;

/* NULL: no memory. */
struct flow *flow__new(struct job *job, struct answer *answer);
/* Decodes one chunk, and ends it in the answer. 0 or -errno. */
int flow__chunk(struct flow *f, uint32_t chunk);

#endif
