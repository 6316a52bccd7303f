/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* libopencsd's decoders of the trace units of a job. */
#ifndef BPFPERF_ETMDEC_TREE_H
#define BPFPERF_ETMDEC_TREE_H

#include <stdint.h>

#include <opencsd/c_api/opencsd_c_api.h>

#include "tracedec/job.h"

/* Trace ids are below; the bytes of a unit without frames are under TREE_RAW_ID. */
#define TREE_IDS 128
#define TREE_RAW_ID 1

/* Bytes of a frame. */
#define TREE_FRAME_SZ 16

struct tree_calls {
	FnTraceElemIn element;
	Fn_MemAccID_CB read_code;
	/* A packet that synchronizes, at this offset of the bytes. */
	void (*synced)(void *ctx, uint8_t id, uint64_t at);
	void *ctx;
};

struct tree;

/*
 * Makes the decoders of a chunk, without any state of others: of all units, or of the one that a
 * chunk without frames is of. NULL: no memory.
 */
struct tree *tree__new(const struct job *job, const struct itrace_chunk *chunk,
		       const struct tree_calls *calls);
void tree__free(struct tree *t);
/* The unit that has this trace id; NULL: none. */
const struct itrace_etm *tree__unit(const struct tree *t, uint8_t id);
/* Decodes bytes at this offset. Returns the number that was taken; *is_fatal: it cannot go on. */
uint32_t tree__decode(struct tree *t, uint64_t at, const uint8_t *p, uint32_t sz, bool *is_fatal);
/* No bytes follow. */
void tree__end(struct tree *t);
/* Looks for the next synchronization, after an error. */
void tree__reset(struct tree *t);
/* Bytes of units that the job does not have. */
uint64_t tree__foreign_sz(const struct tree *t);

#endif
