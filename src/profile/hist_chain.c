// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "profile/hist_chain.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Number of columns with a vertical line; deeper levels share the last one. */
#define MAX_LINES 64

/* Chains from..to (in sorted order) that have the same functions up to the end of this branch. */
struct branch {
	size_t from, to;
	uint32_t begin, end; /* the branch's own functions: begin..end of the first chain */
	uint64_t period;
};

struct print {
	struct hist_chain *hc;
	struct strbuf *out;
	uint32_t margin;
	/* smallest period of a branch that is printed; unused for fractal percentages */
	uint64_t min;
};

static int cmp_funcs(const void *pa, const void *pb, void *ctx)
{
	const struct hist *h = ctx;
	uint32_t a = *(const uint32_t *)pa, b = *(const uint32_t *)pb;
	const struct hist_func *fa = &h->funcs[a], *fb = &h->funcs[b];

	if (fa->is_mapped != fb->is_mapped)
		return fa->is_mapped ? -1 : 1;
	if (fa->dso != fb->dso)
		return fa->dso < fb->dso ? -1 : 1;
	/* Functions of one file are in descending order of address, like in perf. */
	if (fa->addr != fb->addr)
		return fa->addr > fb->addr ? -1 : 1;
	return (a > b) - (a < b);
}

int hist_chain__init(struct hist_chain *hc, const struct hist *hist, uint64_t total)
{
	uint32_t *order = malloc((hist->func_cnt + 1) * sizeof(*order)), i;

	*hc = (struct hist_chain){ .hist = hist, .total = total };
	hc->rank = malloc((hist->func_cnt + 1) * sizeof(*hc->rank));
	if (!order || !hc->rank) {
		free(order);
		return -ENOMEM;
	}
	for (i = 0; i < hist->func_cnt; i++)
		order[i] = i;
	if (hist->func_cnt)
		qsort_r(order, hist->func_cnt, sizeof(*order), cmp_funcs, (void *)hist);
	for (i = 0; i < hist->func_cnt; i++)
		hc->rank[order[i]] = i;
	free(order);
	return 0;
}

void hist_chain__free(struct hist_chain *hc)
{
	free(hc->rank);
	free(hc->seqs);
	free(hc->sums);
	*hc = (struct hist_chain){ 0 };
}

static uint32_t rank_at(const struct hist_chain *hc, const struct chain_seq *s, uint32_t i)
{
	return hc->rank[hc->hist->funcs[s->frames[i]].chain];
}

/* A chain that is the beginning of another one is sorted before it. */
static int cmp_seqs(const void *pa, const void *pb, void *ctx)
{
	const struct chain_seq *a = pa, *b = pb;
	uint32_t i;

	for (i = 0; i < a->len && i < b->len; i++) {
		uint32_t ra = rank_at(ctx, a, i), rb = rank_at(ctx, b, i);

		if (ra != rb)
			return ra < rb ? -1 : 1;
	}
	return (a->len > b->len) - (a->len < b->len);
}

static int load(struct hist_chain *hc, const struct hist_entries *es, const struct hist_entry *e)
{
	const struct hist *h = hc->hist;
	size_t i;

	if (e->ref_cnt > hc->cap) {
		free(hc->seqs);
		free(hc->sums);
		hc->cap = e->ref_cnt;
		hc->seqs = malloc(hc->cap * sizeof(*hc->seqs));
		hc->sums = malloc((hc->cap + 1) * sizeof(*hc->sums));
		if (!hc->seqs || !hc->sums) {
			hc->cap = 0;
			return -ENOMEM;
		}
	}
	hc->cnt = e->ref_cnt;
	for (i = 0; i < hc->cnt; i++) {
		const struct hist_ref *ref = &es->refs[e->ref + i];
		const struct hist_row *r = &h->rows[ref->row];

		hc->seqs[i] = (struct chain_seq){
			.frames = h->frames + r->at + ref->pos,
			.len = r->frame_cnt - ref->pos,
			.period = r->period,
		};
	}
	if (hc->cnt)
		qsort_r(hc->seqs, hc->cnt, sizeof(*hc->seqs), cmp_seqs, hc);
	for (i = 0; i < hc->cnt; i++)
		hc->sums[i + 1] = (i ? hc->sums[i] : 0) + hc->seqs[i].period;
	if (hc->cnt)
		hc->sums[0] = 0;
	return 0;
}

static int cmp_branches(const void *pa, const void *pb)
{
	const struct branch *a = pa, *b = pb;

	if (a->period != b->period)
		return a->period > b->period ? -1 : 1;
	return (a->from > b->from) - (a->from < b->from);
}

/* Returns the depth up to which all chains of the branch have the same functions and none ends. */
static uint32_t common_end(const struct hist_chain *hc, const struct branch *b)
{
	const struct chain_seq *first = &hc->seqs[b->from], *last = &hc->seqs[b->to - 1];
	uint32_t i = b->begin + 1;

	while (i < first->len && rank_at(hc, first, i) == rank_at(hc, last, i))
		i++;
	return i;
}

/*
 * Returns the branches behind function `depth` of chains from..to that are large enough, largest
 * first; *all: the sum of all branches, small ones included. The caller frees them; NULL: no
 * memory.
 */
static struct branch *branches_of(const struct print *pr, size_t from, size_t to, uint32_t depth,
				  size_t *cnt, uint64_t *all)
{
	const struct hist_chain *hc = pr->hc;
	struct branch *list;
	uint64_t min = pr->min;
	size_t at, end, n = 0, i;

	while (from < to && hc->seqs[from].len <= depth)
		from++;
	*all = hc->cnt ? hc->sums[to] - hc->sums[from] : 0;
	if (hc->hist->cfg.is_fractal)
		min = (uint64_t)ceil((double)*all * (hc->hist->cfg.chain_min_percent / 100));
	for (at = from; at < to; at++)
		n += at == from ||
		     rank_at(hc, &hc->seqs[at], depth) != rank_at(hc, &hc->seqs[at - 1], depth);
	list = malloc((n + 1) * sizeof(*list));
	if (!list)
		return NULL;
	for (at = from, n = 0; at < to; at = end) {
		for (end = at + 1; end < to && rank_at(hc, &hc->seqs[end], depth) ==
						       rank_at(hc, &hc->seqs[at], depth);)
			end++;
		list[n] = (struct branch){ at, end, depth, 0, hc->sums[end] - hc->sums[at] };
		n += list[n].period >= min;
	}
	qsort(list, n, sizeof(*list), cmp_branches);
	for (i = 0; i < n; i++)
		list[i].end = common_end(hc, &list[i]);
	*cnt = n;
	return list;
}

static void put_spaces(struct strbuf *out, uint32_t cnt)
{
	while (cnt--)
		strbuf__putc(out, ' ');
}

static void put_func(const struct print *pr, const struct chain_seq *seq, uint32_t i)
{
	const struct hist *h = pr->hc->hist;
	const struct hist_func *f = &h->funcs[seq->frames[i]];

	if (f->name == TEXTS_NONE)
		strbuf__printf(pr->out, "%#llx\n", (unsigned long long)f->addr);
	else
		strbuf__printf(pr->out, "%s%s\n", texts__get(&h->texts, f->name),
			       f->is_inlined ? " (inlined)" : "");
}

/* Prints a line that only continues the vertical lines. */
static void put_joint(const struct print *pr, uint32_t depth, uint64_t lines)
{
	uint32_t i;

	put_spaces(pr->out, 12 + pr->margin);
	for (i = 0; i < depth; i++)
		strbuf__puts(pr->out, lines >> (i % MAX_LINES) & 1 ? "|          " : "           ");
	strbuf__putc(pr->out, '\n');
}

/*
 * Prints the vertical lines before a function; the first function of a branch has its percentage.
 */
static void put_front(const struct print *pr, uint32_t depth, uint64_t lines, bool is_first,
		      uint64_t period, uint64_t total)
{
	uint32_t i;

	put_spaces(pr->out, 12 + pr->margin);
	for (i = 0; i < depth; i++) {
		strbuf__putc(pr->out, lines >> (i % MAX_LINES) & 1 ? '|' : ' ');
		if (is_first && i == depth - 1)
			strbuf__printf(pr->out, "--%.2f%%--",
				       total ? (double)period * 100.0 / (double)total : 0);
		else
			strbuf__puts(pr->out, "          ");
	}
}

static int put_branches(const struct print *pr, size_t from, size_t to, uint32_t begin,
			uint64_t total, uint32_t depth, uint64_t lines)
{
	bool is_fractal = pr->hc->hist->cfg.is_fractal;
	uint64_t all, remaining = total, line = 1ULL << ((depth - 1) % MAX_LINES), kept = lines;
	struct branch *list;
	size_t cnt, i;
	uint32_t f;
	int err = 0;

	list = branches_of(pr, from, to, begin, &cnt, &all);
	if (!list)
		return -ENOMEM;
	for (i = 0; i < cnt && !err; i++) {
		const struct branch *b = &list[i];

		remaining -= b->period;
		/* With fractal percentages the remainder is printed behind the last branch. */
		if (i + 1 == cnt && (!is_fractal || !remaining))
			lines &= ~line;
		put_joint(pr, depth, kept);
		for (f = b->begin; f < b->end; f++) {
			put_front(pr, depth, lines, f == b->begin, b->period, total);
			put_func(pr, &pr->hc->seqs[b->from], f);
		}
		/* For fractal percentages the whole is the sum of the children. */
		all = is_fractal ? pr->hc->sums[b->to] - pr->hc->sums[b->from] : total;
		for (size_t s = b->from; is_fractal && s < b->to && pr->hc->seqs[s].len <= b->end;
		     s++)
			all -= pr->hc->seqs[s].period;
		err = put_branches(pr, b->from, b->to, b->end, all, depth + 1,
				   lines | 1ULL << (depth % MAX_LINES));
	}
	if (!err && is_fractal && remaining && remaining != total) {
		put_front(pr, depth, lines & ~line, true, remaining, total);
		strbuf__puts(pr->out, "[...]\n");
	}
	free(list);
	return err;
}

/*
 * A single branch that is the whole entry has no percentage, and the entry's own name is not
 * repeated.
 */
static uint32_t put_stem(struct print *pr, const struct branch *b)
{
	bool is_printed = false;
	uint32_t f;

	for (f = b->begin; f < b->end; f++) {
		if (f == b->begin && pr->hc->hist->cfg.keys[0] == HIST_SYM)
			continue;
		put_spaces(pr->out, 12 + pr->margin);
		if (!is_printed) {
			strbuf__puts(pr->out, "|\n");
			put_spaces(pr->out, 12 + pr->margin);
			strbuf__puts(pr->out, "---");
			pr->margin += 3;
			is_printed = true;
		}
		put_func(pr, &pr->hc->seqs[b->from], f);
	}
	return b->end;
}

int hist_chain__print(struct hist_chain *hc, const struct hist_entries *es,
		      const struct hist_entry *e, struct strbuf *out)
{
	const struct hist_config *cfg = &hc->hist->cfg;
	struct print pr = { .hc = hc, .out = out };
	uint64_t whole = cfg->children ? e->total : e->self, all, total = hc->total;
	size_t cnt = 0, start = out->len, from = 0, to;
	struct branch *list;
	uint32_t begin = 0;
	int err = load(hc, es, e);

	if (err)
		return err;
	to = hc->cnt;
	pr.min = (uint64_t)((double)hc->total * (cfg->chain_min_percent / 100));
	list = branches_of(&pr, from, to, 0, &cnt, &all);
	if (!list)
		return -ENOMEM;
	if (cnt == 1 && list[0].period == whole) {
		from = list[0].from;
		to = list[0].to;
		begin = put_stem(&pr, &list[0]);
	}
	free(list);
	if (cfg->is_fractal)
		total = whole;
	err = put_branches(&pr, from, to, begin, total, 1, 1);
	if (out->len > start)
		strbuf__putc(out, '\n');
	return err;
}
