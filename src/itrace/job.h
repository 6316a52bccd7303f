/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Cuts what was collected into chunks, and writes the job of bpfperf-itrace. */
#ifndef BPFPERF_ITRACE_JOB_H
#define BPFPERF_ITRACE_JOB_H

#include <stddef.h>
#include <stdint.h>

#include "itrace/collect.h"
#include "itrace/options.h"
#include "itrace/wire.h"

struct job_plan {
	struct itrace_job head;
	struct itrace_chunk *chunks; /* in order of time */
	size_t chunk_cnt, chunk_cap;
	uint64_t chunk_sz; /* of bytes, at least, up to the next PSB of Intel PT */
	struct itrace_piece *pieces;
	size_t piece_cnt, piece_cap;
	int job_fd, data_fd;
};

/*
 * Finds the chunks, and writes the job into memory of its own. ring_sz: bytes of the ring of each
 * process (itrace_ring.bytes). 0 or -errno, logged.
 */
int job_plan__make(struct job_plan *plan, const struct collect *c, const struct itrace_options *o,
		   uint64_t ring_sz);
/* Adds the pieces of a queue. 0 or -ENOMEM. */
int job_plan__add_pieces(struct job_plan *plan, const struct collect_queue *q);
void job_plan__free(struct job_plan *plan);

#endif
