/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Makes the items of a chunk from what libopencsd decodes of it. */
#ifndef BPFPERF_ETMDEC_FLOW_H
#define BPFPERF_ETMDEC_FLOW_H

#include <stdint.h>

#include "tracedec/answer.h"
#include "tracedec/job.h"

struct etm_flow;

/* NULL: no memory. */
struct etm_flow *etm_flow__new(struct job *job, struct answer *answer);
/* Decodes a chunk, and answers it. 0 or -errno. */
int etm_flow__chunk(struct etm_flow *f, uint32_t chunk);

#endif
