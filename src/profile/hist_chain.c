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
	uint64_t period, samples;
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
	if (fa->ip != fb->ip)
		return fa->ip > fb->ip ? -1 : 1;
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
	free(hc->counts);
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
		free(hc->counts);
		hc->cap = e->ref_cnt;
		hc->seqs = malloc(hc->cap * sizeof(*hc->seqs));
		hc->sums = malloc((hc->cap + 1) * sizeof(*hc->sums));
		hc->counts = malloc((hc->cap + 1) * sizeof(*hc->counts));
		if (!hc->seqs || !hc->sums || !hc->counts) {
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
			.samples = r->samples,
		};
	}
	if (hc->cnt)
		qsort_r(hc->seqs, hc->cnt, sizeof(*hc->seqs), cmp_seqs, hc);
	for (i = 0; i < hc->cnt; i++) {
		hc->sums[i + 1] = (i ? hc->sums[i] : 0) + hc->seqs[i].period;
		hc->counts[i + 1] = (i ? hc->counts[i] : 0) + hc->seqs[i].samples;
	}
	if (hc->cnt)
		hc->sums[0] = hc->counts[0] = 0;
	return 0;
}

static int cmp_branches(const void *pa, const void *pb)
{
	const struct branch *a = pa, *b = pb;

	if (a->period != b->period)
		return a->period > b->period ? -1 : 1;
	return (a->from > b->from) - (a->from < b->from);
}

uint32_t hist_chain__common(const struct hist_chain *hc, const struct chain_seq *a,
			    const struct chain_seq *b)
{
	uint32_t i = 0;

	while (i < a->len && i < b->len && rank_at(hc, a, i) == rank_at(hc, b, i))
		i++;
	return i;
}

static bool is_fractal(const struct print *pr)
{
	return pr->hc->hist->cfg.chain_style == HIST_CHAIN_FRACTAL;
}

/*
 * Returns the branches behind function `depth` of chains from..to that are large enough, largest
 * first; *all: the sum of all branches, small ones included. The caller frees them; NULL: no
 * memory.
 */
static struct branch *branches_of(const struct print *pr, size_t from, size_t to, uint32_t depth,
				  size_t *cnt, struct branch *all)
{
	const struct hist_chain *hc = pr->hc;
	struct branch *list;
	uint64_t min = pr->min;
	size_t at, end, n = 0, i;

	while (from < to && hc->seqs[from].len <= depth)
		from++;
	*all = (struct branch){ .from = from, .to = to };
	if (hc->cnt) {
		all->period = hc->sums[to] - hc->sums[from];
		all->samples = hc->counts[to] - hc->counts[from];
	}
	if (is_fractal(pr))
		min = (uint64_t)ceil((double)all->period * (hc->hist->cfg.chain_min_percent / 100));
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
		list[n] = (struct branch){ at,
					   end,
					   depth,
					   0,
					   hc->sums[end] - hc->sums[at],
					   hc->counts[end] - hc->counts[at] };
		n += list[n].period >= min;
	}
	qsort(list, n, sizeof(*list), cmp_branches);
	for (i = 0; i < n; i++)
		list[i].end =
			hist_chain__common(hc, &hc->seqs[list[i].from], &hc->seqs[list[i].to - 1]);
	*cnt = n;
	return list;
}

static void put_spaces(struct strbuf *out, uint32_t cnt)
{
	while (cnt--)
		strbuf__putc(out, ' ');
}

void hist_chain__put_func(const struct hist_chain *hc, const struct chain_seq *seq, uint32_t i,
			  struct strbuf *out)
{
	const struct hist *h = hc->hist;
	const struct hist_func *f = &h->funcs[seq->frames[i]];

	if (f->name == TEXTS_NONE)
		strbuf__printf(out, "%#llx", (unsigned long long)f->addr);
	else
		strbuf__printf(out, "%s%s%s%s", texts__get(&h->texts, f->name), f->line ? " " : "",
			       f->line ? texts__get(&h->texts, f->line - 1) : "",
			       f->is_inlined ? " (inlined)" : "");
}

static void put_func(const struct print *pr, const struct chain_seq *seq, uint32_t i)
{
	hist_chain__put_func(pr->hc, seq, i, pr->out);
	strbuf__putc(pr->out, '\n');
}

void hist_chain__put_value(const struct hist_chain *hc, uint64_t period, uint64_t samples,
			   uint64_t total, struct strbuf *out)
{
	enum hist_chain_value value = hc->hist->cfg.chain_value;

	if (value == HIST_CHAIN_PERCENT)
		strbuf__printf(out, "%.2f%%", total ? (double)period * 100.0 / (double)total : 0);
	else
		strbuf__printf(out, "%llu",
			       (unsigned long long)(value == HIST_CHAIN_PERIOD ? period : samples));
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

/* Prints the vertical lines before a function; the first function of a branch has its number. */
static void put_front(const struct print *pr, uint32_t depth, uint64_t lines,
		      const struct branch *first, uint64_t total)
{
	uint32_t i;

	put_spaces(pr->out, 12 + pr->margin);
	for (i = 0; i < depth; i++) {
		strbuf__putc(pr->out, lines >> (i % MAX_LINES) & 1 ? '|' : ' ');
		if (!first || i != depth - 1) {
			strbuf__puts(pr->out, "          ");
			continue;
		}
		strbuf__puts(pr->out, "--");
		hist_chain__put_value(pr->hc, first->period, first->samples, total, pr->out);
		strbuf__puts(pr->out, "--");
	}
}

/* The whole of the shares below a branch: with fractal percentages, the sum of its children. */
static uint64_t whole_below(const struct print *pr, const struct branch *b, uint64_t total)
{
	uint64_t all = b->period;
	size_t i;

	if (!is_fractal(pr))
		return total;
	for (i = b->from; i < b->to && pr->hc->seqs[i].len <= b->end; i++)
		all -= pr->hc->seqs[i].period;
	return all;
}

static int put_branches(const struct print *pr, size_t from, size_t to, uint32_t begin,
			uint64_t total, uint32_t depth, uint64_t lines)
{
	const struct hist_config *cfg = &pr->hc->hist->cfg;
	uint64_t line = 1ULL << ((depth - 1) % MAX_LINES), kept = lines;
	struct branch *list, rest;
	size_t cnt, i;
	uint32_t f;
	int err = 0;

	list = branches_of(pr, from, to, begin, &cnt, &rest);
	if (!list)
		return -ENOMEM;
	rest.period = total;
	for (i = 0; i < cnt && !err && (!cfg->chain_limit || i < cfg->chain_limit); i++) {
		const struct branch *b = &list[i];

		rest.period -= b->period;
		rest.samples -= b->samples;
		/* With fractal percentages the remainder is printed behind the last branch. */
		if (i + 1 == cnt && (!is_fractal(pr) || !rest.period))
			lines &= ~line;
		put_joint(pr, depth, kept);
		for (f = b->begin; f < b->end; f++) {
			put_front(pr, depth, lines, f == b->begin ? b : NULL, total);
			put_func(pr, &pr->hc->seqs[b->from], f);
		}
		err = put_branches(pr, b->from, b->to, b->end, whole_below(pr, b, total), depth + 1,
				   lines | 1ULL << (depth % MAX_LINES));
	}
	if (!err && is_fractal(pr) && rest.period && rest.period != total &&
	    (cfg->chain_value != HIST_CHAIN_COUNT || rest.samples)) {
		put_front(pr, depth, lines & ~line, &rest, total);
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
	uint64_t limit = pr->hc->hist->cfg.chain_limit;
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
		if (limit && !--limit)
			break;
	}
	return b->end;
}

int hist_chain__print(struct hist_chain *hc, const struct hist_entries *es,
		      const struct hist_entry *e, struct strbuf *out)
{
	const struct hist_config *cfg = &hc->hist->cfg;
	struct print pr = { .hc = hc, .out = out };
	uint64_t whole = cfg->children ? e->own.total : e->own.self, total = hc->total;
	size_t cnt = 0, start = out->len, from = 0, to;
	struct branch *list, all;
	uint32_t begin = 0;
	int err = load(hc, es, e);

	if (err)
		return err;
	to = hc->cnt;
	pr.min = (uint64_t)((double)hc->total * (cfg->chain_min_percent / 100));
	if (cfg->chain_style == HIST_CHAIN_FLAT || cfg->chain_style == HIST_CHAIN_FOLDED)
		return hist_chain_list__print(hc, pr.min, out);
	list = branches_of(&pr, from, to, 0, &cnt, &all);
	if (!list)
		return -ENOMEM;
	if (cnt == 1 && list[0].period == whole) {
		from = list[0].from;
		to = list[0].to;
		begin = put_stem(&pr, &list[0]);
	}
	free(list);
	if (is_fractal(&pr))
		total = whole;
	err = put_branches(&pr, from, to, begin, total, 1, 1);
	if (out->len > start)
		strbuf__putc(out, '\n');
	return err;
}
