// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "decode/stacks.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <linux/types.h>

#include "bpf/unwind_wire.h"
#include "bpf/wire.h"
#include "util/array.h"

/* Number of addresses in a block of memory. */
#define BLOCK_CNT 65536

void stacks__init(struct stacks *st, uint32_t max_depth)
{
	*st = (struct stacks){ .by_id = U64MAP_INIT, .max_depth = max_depth };
}

void stacks__free(struct stacks *st)
{
	while (st->block_cnt)
		free(st->blocks[--st->block_cnt]);
	free(st->blocks);
	free(st->chains);
	u64map__free(&st->by_id);
	*st = (struct stacks){ .by_id = U64MAP_INIT };
}

/* Reserves cnt addresses that are never moved. */
static uint64_t *take_addrs(struct stacks *st, size_t cnt)
{
	void **bigger;
	uint64_t *at;

	if (!st->addrs || cnt > st->addrs_left) {
		bigger = realloc(st->blocks, (st->block_cnt + 1) * sizeof(*bigger));
		if (!bigger)
			return NULL;
		st->blocks = bigger;
		st->addrs = malloc(BLOCK_CNT * sizeof(*st->addrs));
		if (!st->addrs)
			return NULL;
		st->blocks[st->block_cnt++] = st->addrs;
		st->addrs_left = BLOCK_CNT;
	}
	at = st->addrs;
	st->addrs += cnt;
	st->addrs_left -= cnt;
	return at;
}

/* A negative size is the errno of the capture: that side has no stack. */
static uint32_t side_cnt(__s16 sz)
{
	return sz > 0 ? (uint32_t)sz / 8 : 0;
}

static struct callchain *add(struct stacks *st, const struct wire_stack_def *def, uint32_t kern_cnt,
			     uint32_t user_cnt)
{
	uint64_t *addrs = take_addrs(st, kern_cnt + user_cnt);

	if (!addrs)
		return NULL;
	if (array__reserve((void **)&st->chains, &st->cap, st->cnt + 1, sizeof(*st->chains)))
		return NULL;
	memcpy(addrs, def->addrs, (kern_cnt + user_cnt) * sizeof(*addrs));
	st->chains[st->cnt] = (struct callchain){
		.kern = addrs,
		.user = addrs + kern_cnt,
		.kern_cnt = (uint16_t)kern_cnt,
		.user_cnt = (uint16_t)user_cnt,
		.truncated =
			kern_cnt >= st->max_depth ||
			(def->user_end ? def->user_end == UNWIND_FULL : user_cnt >= st->max_depth),
	};
	return &st->chains[st->cnt++];
}

struct callchain *stacks__define(struct stacks *st, const struct wire_rec *rec)
{
	const struct wire_stack_def *def = (const void *)rec;
	uint32_t kern_cnt, user_cnt, *slot;
	struct callchain *chain;

	errno = EINVAL;
	if (rec->kind != WIRE_STACK_DEF || rec->sz < offsetof(struct wire_stack_def, addrs))
		return NULL;
	kern_cnt = side_cnt(def->kern_sz);
	user_cnt = side_cnt(def->user_sz);
	if (rec->sz < offsetof(struct wire_stack_def, addrs) + 8 * (kern_cnt + user_cnt) ||
	    def->id <= WIRE_STACK_LOST)
		return NULL;
	errno = 0;
	if (u64map__get(&st->by_id, def->id) != U64MAP_NONE)
		return NULL;
	errno = ENOMEM;
	chain = add(st, def, kern_cnt, user_cnt);
	slot = chain ? u64map__slot(&st->by_id, def->id) : NULL;
	if (!slot)
		return NULL;
	*slot = (uint32_t)(st->cnt - 1);
	return chain;
}

const struct callchain *stacks__get(const struct stacks *st, uint64_t id)
{
	uint32_t i = id > WIRE_STACK_LOST ? u64map__get(&st->by_id, id) : U64MAP_NONE;

	return i == U64MAP_NONE ? NULL : &st->chains[i];
}

void stacks__set(const struct stacks *st, uint64_t id, struct sample *s)
{
	const struct callchain *chain = stacks__get(st, id);

	if (chain) {
		s->chain = *chain;
		s->stack_id = id;
	} else {
		s->stack_lost = id != WIRE_STACK_NONE;
	}
}
