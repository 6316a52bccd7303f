/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Stacks that records reference by id: a definition (WIRE_STACK_DEF) arrives once and assigns
 * addresses to an id.
 */
#ifndef BPFPERF_DECODE_STACKS_H
#define BPFPERF_DECODE_STACKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "decode/sample.h"
#include "util/u64map.h"

struct wire_rec;

struct stacks {
	struct u64map by_id; /* stack id → index */
	struct callchain *chains;
	size_t cnt, cap;
	uint64_t *addrs; /* addresses of the last defined chain: blocks are never moved */
	size_t addrs_left; /* free addresses in the last block */
	void **blocks;
	size_t block_cnt;
	uint32_t max_depth; /* requested addresses of each side: a stack with as many was cut */
};

void stacks__init(struct stacks *st, uint32_t max_depth);
void stacks__free(struct stacks *st);

/*
 * Stores the chain of an id. Returns the chain, which the caller may adjust; NULL if the id is
 * known already (errno 0), the record is corrupt (EINVAL), or ENOMEM. The returned pointer is valid
 * until the next call.
 */
struct callchain *stacks__define(struct stacks *st, const struct wire_rec *rec);

/*
 * Returns the chain of a record's id; NULL: WIRE_STACK_NONE, WIRE_STACK_LOST, or an undefined id.
 */
const struct callchain *stacks__get(const struct stacks *st, uint64_t id);
/* Sets the sample's chain, or that it was lost, by its id. */
void stacks__set(const struct stacks *st, uint64_t id, struct sample *s);

#endif
