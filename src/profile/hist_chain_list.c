// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* Callchains one by one: report -g flat and -g folded. */
#include "profile/hist_chain.h"

#include <errno.h>
#include <stdlib.h>

/* Chains from..to (in sorted order) that have the same functions. */
struct whole_chain {
	const struct chain_seq *seq;
	uint64_t period, samples;
	size_t below; /* the first chain behind those that begin with it */
};

/* The largest first; of equal ones, in the order of a tree of which children come first. */
static int cmp_chains(const void *pa, const void *pb, void *ctx)
{
	const struct whole_chain *a = pa, *b = pb;
	uint32_t common;

	if (a->period != b->period)
		return a->period > b->period ? -1 : 1;
	common = hist_chain__common(ctx, a->seq, b->seq);
	if (common == a->seq->len || common == b->seq->len)
		return a->seq->len > b->seq->len ? -1 : 1;
	return (a->seq > b->seq) - (a->seq < b->seq);
}

static bool is_alike(const struct hist_chain *hc, const struct chain_seq *a,
		     const struct chain_seq *b)
{
	return a->len == b->len && hist_chain__common(hc, a, b) == a->len;
}

/* Returns the chains of min and more; the caller frees them. NULL: no memory. */
static struct whole_chain *chains_of(const struct hist_chain *hc, uint64_t min, size_t *cnt)
{
	struct whole_chain *list = malloc((hc->cnt + 1) * sizeof(*list));
	size_t at, end, n = 0;

	if (!list)
		return NULL;
	for (at = 0; at < hc->cnt; at = end) {
		for (end = at + 1; end < hc->cnt && is_alike(hc, &hc->seqs[at], &hc->seqs[end]);)
			end++;
		list[n] = (struct whole_chain){ &hc->seqs[at], hc->sums[end] - hc->sums[at],
						hc->counts[end] - hc->counts[at], end };
		while (list[n].below < hc->cnt &&
		       hist_chain__common(hc, list[n].seq, &hc->seqs[list[n].below]) ==
			       list[n].seq->len)
			list[n].below++;
		n += hc->seqs[at].len && list[n].period >= min;
	}
	if (n)
		qsort_r(list, n, sizeof(*list), cmp_chains, (void *)hc);
	*cnt = n;
	return list;
}

/* Its number includes longer chains that begin with it, as in perf. */
static void put_flat(const struct hist_chain *hc, const struct whole_chain *c, struct strbuf *out)
{
	size_t at = (size_t)(c->seq - hc->seqs);
	uint32_t i;

	strbuf__puts(out, "           ");
	hist_chain__put_value(hc, hc->sums[c->below] - hc->sums[at],
			      hc->counts[c->below] - hc->counts[at], hc->total, out);
	strbuf__putc(out, '\n');
	for (i = 0; i < c->seq->len; i++) {
		strbuf__puts(out, "                ");
		hist_chain__put_func(hc, c->seq, i, out);
		strbuf__putc(out, '\n');
	}
	strbuf__putc(out, '\n');
}

static void put_folded(const struct hist_chain *hc, const struct whole_chain *c, struct strbuf *out)
{
	uint32_t i;

	hist_chain__put_value(hc, c->period, c->samples, hc->total, out);
	for (i = 0; i < c->seq->len; i++) {
		strbuf__putc(out, i ? ';' : ' ');
		hist_chain__put_func(hc, c->seq, i, out);
	}
	strbuf__putc(out, '\n');
}

int hist_chain_list__print(const struct hist_chain *hc, uint64_t min, struct strbuf *out)
{
	const struct hist_config *cfg = &hc->hist->cfg;
	struct whole_chain *list;
	size_t cnt, i;

	list = chains_of(hc, min, &cnt);
	if (!list)
		return -ENOMEM;
	for (i = 0; i < cnt && (!cfg->chain_limit || i < cfg->chain_limit); i++) {
		if (cfg->chain_style == HIST_CHAIN_FLAT)
			put_flat(hc, &list[i], out);
		else
			put_folded(hc, &list[i], out);
	}
	free(list);
	return 0;
}
