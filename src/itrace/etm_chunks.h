/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* CoreSight's part of job.h. */
#ifndef BPFPERF_ITRACE_ETM_CHUNKS_H
#define BPFPERF_ITRACE_ETM_CHUNKS_H

#include <stdint.h>

#include "itrace/collect.h"
#include "itrace/job.h"

/*
 * Cuts a queue where the kernel began to write anew, as its AUX records tell: there a trace unit
 * was started. 0 or -ENOMEM.
 */
int etm_chunks__cut(struct job_plan *plan, const struct collect *c, uint32_t queue);
/* The threads that context ids of a trace name, by tid; *cnt of them. NULL: no memory. */
struct itrace_thread *etm_chunks__threads(const struct collect *c, uint32_t *cnt);

#endif
