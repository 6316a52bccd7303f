// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "decode/chain_names.h"

#include <stdlib.h>

#include "decode/sample.h"
#include "sym/sym.h"
#include "util/array.h"

/* Addresses in kept chains, 48 bytes each; beyond that all chains are dropped. */
#define ADDRS_MAX (1u << 19)

void chain_names__init(struct chain_names *cn, struct sym *sym)
{
	*cn = (struct chain_names){ .sym = sym, .by_key = U64MAP_INIT };
}

static void forget(struct chain_names *cn)
{
	while (cn->kept_cnt)
		free(cn->kept[--cn->kept_cnt]);
	u64map__free(&cn->by_key);
	cn->by_key = (struct u64map)U64MAP_INIT;
	cn->addr_cnt = 0;
	cn->epoch++;
}

void chain_names__free(struct chain_names *cn)
{
	forget(cn);
	free(cn->kept);
	free(cn->once);
	*cn = (struct chain_names){ .by_key = U64MAP_INIT };
}

/* Kernel functions are the same in every process, so their key has no pid. */
static uint64_t key_of(const struct sample *s)
{
	uint64_t owner = 0;

	if (s->chain.user_cnt)
		owner = (uint64_t)(uint32_t)s->pid << 32 | s->maps_version;
	return s->stack_id ^ u64map__mix(owner);
}

/*
 * The names were looked up within the call instruction, since the return address may be the next
 * function's; what is printed beside the return address are offsets of that.
 */
static void set_offsets(struct sym_result *res, uint64_t past_call)
{
	res->off += past_call;
	if (res->func_off)
		res->func_off += past_call;
}

static void name_all(struct sym *sym, const struct sample *s, struct named_chain *chain)
{
	struct named_addr *to = chain->addrs;
	uint64_t in;
	size_t i;

	for (i = 0; i < s->chain.kern_cnt; i++, to++) {
		to->addr = s->chain.kern[i];
		to->is_guessed = false;
		in = callchain__kernel_in(&s->chain, i);
		sym__kernel(sym, sym__kernel_place(sym, in), &to->res);
		set_offsets(&to->res, to->addr - in);
	}
	for (i = 0; i < s->chain.user_cnt; i++, to++) {
		to->addr = callchain__user(&s->chain, i);
		to->is_guessed = callchain__is_guessed(&s->chain, i);
		in = callchain__user_in(&s->chain, i);
		sym__user(sym, s->pid, in, &to->res);
		set_offsets(&to->res, to->addr - in);
	}
}

static const struct named_chain *name_once(struct chain_names *cn, const struct sample *s,
					   uint32_t cnt)
{
	if (cnt > cn->once_cap || !cn->once) {
		struct named_chain *bigger = malloc(sizeof(*bigger) + cnt * sizeof(*bigger->addrs));

		if (!bigger)
			return NULL;
		free(cn->once);
		cn->once = bigger;
		cn->once_cap = cnt;
	}
	cn->once->idx = NAMED_ONCE;
	cn->once->cnt = cnt;
	name_all(cn->sym, s, cn->once);
	return cn->once;
}

/* Names a chain with an id. NULL: no memory. */
static struct named_chain *keep(struct chain_names *cn, const struct sample *s, uint32_t cnt)
{
	struct named_chain *chain;

	if (array__reserve((void **)&cn->kept, &cn->kept_cap, cn->kept_cnt + 1, sizeof(*cn->kept)))
		return NULL;
	chain = malloc(sizeof(*chain) + cnt * sizeof(*chain->addrs));
	if (!chain)
		return NULL;
	chain->idx = cn->kept_cnt;
	chain->epoch = cn->epoch;
	chain->cnt = cnt;
	name_all(cn->sym, s, chain);
	cn->kept[cn->kept_cnt++] = chain;
	cn->addr_cnt += cnt;
	return chain;
}

const struct named_chain *chain_names__get(struct chain_names *cn, const struct sample *s)
{
	uint32_t cnt = (uint32_t)s->chain.kern_cnt + s->chain.user_cnt, *slot;
	struct named_chain *chain;
	uint64_t key;

	if (!s->stack_id)
		return name_once(cn, s, cnt);
	key = key_of(s);
	if (cn->addr_cnt > ADDRS_MAX)
		forget(cn);
	slot = u64map__slot(&cn->by_key, key);
	if (!slot)
		return NULL;
	if (*slot != U64MAP_NONE)
		return cn->kept[*slot];
	chain = keep(cn, s, cnt);
	if (chain)
		*slot = chain->idx;
	return chain;
}
