/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Stacks that records tell by their id: a definition (WIRE_STACK_DEF) comes
 * once, and stands for the addresses from then on.
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
	struct u64map by_id; /* → index */
	struct callchain *chains;
	size_t cnt, cap;
	uint64_t *addrs; /* of the chain that was defined last: blocks are never moved */
	size_t addrs_left; /* in the last block */
	void **blocks;
	size_t block_cnt;
	uint32_t max_depth; /* addresses asked for of each side: as many were cut */
};

void stacks__init(struct stacks *st, uint32_t max_depth);
void stacks__free(struct stacks *st);

/*
 * Remembers what an id stands for. The chain, to be adjusted by the caller;
 * NULL where it is known already (errno 0), damaged (EINVAL), or ENOMEM. The
 * chain's place is valid until the next call.
 */
struct callchain *stacks__define(struct stacks *st, const struct wire_rec *rec);

/* What a record's id stands for; NULL: WIRE_STACK_NONE, WIRE_STACK_LOST, or an id that nobody defined. */
const struct callchain *stacks__get(const struct stacks *st, uint64_t id);

#endif
