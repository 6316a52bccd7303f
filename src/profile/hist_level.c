// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "profile/hist_level.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "util/array.h"

struct order {
	const struct hist_entries *es;
	uint32_t key, end; /* the keys of the level */
};

uint32_t hist_level__next(const struct hist_config *cfg, uint32_t key)
{
	do
		key++;
	while (key < cfg->key_cnt && cfg->is_joined[key]);
	return key;
}

uint32_t hist_level__cnt(const struct hist_config *cfg)
{
	uint32_t key, cnt = 0;

	for (key = 0; key < cfg->key_cnt; key = hist_level__next(cfg, key))
		cnt++;
	return cnt;
}

/* On the last level, entries that are hidden are no part of those that are not. */
static int cmp_level(const void *pa, const void *pb, void *ctx)
{
	const struct hist_entry *a = pa, *b = pb;
	const struct order *o = ctx;
	const struct hist *h = o->es->hist;
	int cmp = hist_entries__cmp_keys(o->es, a, b, o->key, o->end);

	if (cmp || o->end < h->cfg.key_cnt)
		return cmp;
	return (int)a->is_hidden - (int)b->is_hidden;
}

static int cmp_nodes(const void *pa, const void *pb, void *ctx)
{
	const struct hist_node *a = pa, *b = pb;
	const struct order *o = ctx;
	int cmp = hist_entries__cmp_numbers(o->es, &a->sum, &b->sum);

	return cmp ? cmp : cmp_level(&a->sum, &b->sum, ctx);
}

static void add_numbers(struct hist_numbers *to, const struct hist_numbers *n)
{
	uint32_t i;

	for (i = 0; i <= HIST_MODES; i++)
		to->by_mode[i] += n->by_mode[i];
	to->samples += n->samples;
	to->self += n->self;
	to->total += n->total;
}

/* The numbers of further events stand behind those of the entries. */
static void sum_up(struct hist_entries *es, struct hist_node *node)
{
	uint32_t each = es->event_cnt - 1, m;
	size_t i;

	node->sum = es->all[node->from];
	node->sum.own = (struct hist_numbers){ 0 };
	node->sum.rest = es->rest_cnt;
	if (each)
		memset(es->rest + es->rest_cnt, 0, each * sizeof(*es->rest));
	es->rest_cnt += each;
	for (i = node->from; i < node->to; i++) {
		const struct hist_entry *e = &es->all[i];

		node->sum.is_hidden &= e->is_hidden;
		add_numbers(&node->sum.own, &e->own);
		for (m = 1; m <= each; m++)
			add_numbers(&es->rest[node->sum.rest + m - 1],
				    hist_entries__numbers(es, e, m));
	}
}

int hist_level__build(struct hist_level *l, struct hist_entries *es, size_t from, size_t to,
		      uint32_t key)
{
	struct order o = { es, key, hist_level__next(&es->hist->cfg, key) };
	size_t cnt = 0, at, end;

	*l = (struct hist_level){ .es = es, .rest_cnt = es->rest_cnt };
	if (from == to)
		return 0;
	qsort_r(es->all + from, to - from, sizeof(*es->all), cmp_level, &o);
	for (at = from; at < to; at++)
		cnt += at == from || cmp_level(&es->all[at - 1], &es->all[at], &o);
	l->nodes = calloc(cnt, sizeof(*l->nodes));
	if (!l->nodes ||
	    (es->event_cnt > 1 &&
	     array__reserve((void **)&es->rest, &es->rest_cap,
			    es->rest_cnt + cnt * (es->event_cnt - 1), sizeof(*es->rest))))
		return -ENOMEM;
	for (at = from; at < to; at = end) {
		struct hist_node *node = &l->nodes[l->cnt++];

		for (end = at + 1; end < to && !cmp_level(&es->all[at], &es->all[end], &o);)
			end++;
		node->from = at;
		node->to = end;
		sum_up(es, node);
	}
	qsort_r(l->nodes, l->cnt, sizeof(*l->nodes), cmp_nodes, &o);
	return 0;
}

void hist_level__free(struct hist_level *l)
{
	free(l->nodes);
	l->es->rest_cnt = l->rest_cnt;
	*l = (struct hist_level){ .es = l->es };
}
