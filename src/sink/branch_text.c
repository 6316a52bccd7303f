// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * --format autofdo, --format bolt: branch stacks for optimizing compilers, of the program that has
 * most of the branches.
 *
 * autofdo is what create_llvm_prof and create_gcov read with --profiler=text: three lists, each
 * behind its length, with offsets in the file: runs without a branch taken (FROM-TO:COUNT), the
 * samples' addresses (ADDR:COUNT), branches (FROM->TO:COUNT). bolt is what perf2bolt reads with -pa
 * (bolt/include/bolt/Profile/DataAggregator.h): a line for each branch (B FROM TO COUNT MISSED) and
 * run (F FROM TO COUNT; f: what led there is in another function), with the file's own addresses;
 * X:0 is anywhere else.
 */
#include "sink/branch_text.h"

#include <errno.h>
#include <stdlib.h>

#include "data/perf_sample.h"
#include "profile/branch_sums.h"
#include "sink/out.h"
#include "util/array.h"
#include "util/log.h"

struct branch_printer {
	struct branch_sums sums;
	struct branch_program of;
	uint64_t *words; /* reused */
	size_t word_cap;
};

static int branch_sample(struct sink *sink, const struct sample *s)
{
	struct branch_printer *pr = sink->priv;
	struct branch_stack stack = { .pid = s->pid };
	const struct perf_words *w;
	uint64_t i;

	if (!s->perf)
		return 0;
	w = &s->perf->branches;
	if (array__reserve((void **)&pr->words, &pr->word_cap, w->cnt, sizeof(*pr->words)))
		return -ENOMEM;
	for (i = 0; i < w->cnt; i++)
		pr->words[i] = perf_words__get(w, i);
	stack.ip = s->perf->ip;
	stack.words = pr->words;
	stack.cnt = w->cnt / 3;
	return branch_sums__add(&pr->sums, sink->cfg.sym, &stack);
}

static int sum_up(struct sink *sink, bool by_addr)
{
	const struct branch_config *cfg = sink__extra(sink, BRANCH_EXTRA);
	const char *binary = cfg ? cfg->binary : NULL;
	struct branch_printer *pr = sink->priv;
	int err = branch_sums__of_program(&pr->sums, sink->cfg.sym, binary, by_addr, &pr->of);

	if (!pr->sums.branches.cnt)
		log_warn("--format %s: no sample of a program has a branch stack; record with -b",
			 sink->ops->name);
	else if (!pr->of.path)
		log_warn("--binary %s: no branch was taken there; give the path in the recording, "
			 "or the name without directories",
			 binary ? binary : "");
	else if (err == -ENOENT)
		log_error("--format %s: %s cannot be read, which has the addresses; give --symfs "
			  "DIR",
			  sink->ops->name, pr->of.path);
	else if (!binary)
		log_note("--format %s: most branches were taken in %s; give --binary FILE for "
			 "another program or library",
			 sink->ops->name, pr->of.path);
	/* Without branches there is nothing that would need the file. */
	return err == -ENOENT && !pr->sums.branches.cnt ? 0 : err;
}

/* Prints a list of pairs, joined by `sep`, or with NULL of single offsets. */
static int put_list(struct sink *sink, const struct branch_runs *runs, const char *sep)
{
	struct strbuf *out = &sink->out->buf;
	size_t i, cnt = 0;
	int err = 0;

	for (i = 0; i < runs->cnt; i++)
		cnt += runs->runs[i].from && (!sep || runs->runs[i].to);
	strbuf__printf(out, "%zu\n", cnt);
	for (i = 0; i < runs->cnt && !err; i++) {
		const struct branch_run *r = &runs->runs[i];

		if (!r->from || (sep && !r->to))
			continue;
		strbuf__printf(out, "%llx", (unsigned long long)r->from);
		if (sep)
			strbuf__printf(out, "%s%llx", sep, (unsigned long long)r->to);
		strbuf__printf(out, ":%llu\n", (unsigned long long)r->cnt);
		err = out__commit(sink->out);
	}
	return err;
}

static int autofdo_end(struct sink *sink)
{
	struct branch_printer *pr = sink->priv;
	int err = sum_up(sink, false);

	if (!err)
		err = put_list(sink, &pr->of.fall, "-");
	if (!err)
		err = put_list(sink, &pr->of.places, NULL);
	return err ? err : put_list(sink, &pr->of.taken, "->");
}

static void put_addr(struct strbuf *out, uint64_t addr)
{
	if (addr == BRANCH_ELSEWHERE)
		strbuf__puts(out, " X:0");
	else
		strbuf__printf(out, " %llx", (unsigned long long)addr);
}

static int put_line(struct sink *sink, char kind, const struct branch_run *r)
{
	struct strbuf *out = &sink->out->buf;

	strbuf__putc(out, kind);
	put_addr(out, r->from);
	put_addr(out, r->to);
	strbuf__printf(out, " %llu", (unsigned long long)r->cnt);
	if (kind == 'B')
		strbuf__printf(out, " %llu", (unsigned long long)r->missed);
	strbuf__putc(out, '\n');
	return out__commit(sink->out);
}

static int bolt_end(struct sink *sink)
{
	struct branch_printer *pr = sink->priv;
	const struct branch_runs *fall = &pr->of.fall;
	int err = sum_up(sink, true);
	size_t i;

	for (i = 0; i < pr->of.taken.cnt && !err; i++)
		err = put_line(sink, 'B', &pr->of.taken.runs[i]);
	for (i = 0; i < fall->cnt && !err; i++)
		err = put_line(sink, fall->runs[i].next ? 'f' : 'F', &fall->runs[i]);
	return err;
}

static void branch_free(struct sink *sink)
{
	struct branch_printer *pr = sink->priv;

	branch_sums__free(&pr->sums);
	branch_program__free(&pr->of);
	free(pr->words);
}

const struct sink_ops autofdo_sink = {
	.name = "autofdo",
	.priv_sz = sizeof(struct branch_printer),
	.sample = branch_sample,
	.end = autofdo_end,
	.free = branch_free,
};

const struct sink_ops bolt_sink = {
	.name = "bolt",
	.priv_sz = sizeof(struct branch_printer),
	.sample = branch_sample,
	.end = bolt_end,
	.free = branch_free,
};
