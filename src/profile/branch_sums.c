// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "profile/branch_sums.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "sym/sym.h"
#include "util/array.h"
#include "util/path.h"

#define MERGE_MIN (1 << 16)
/* create_llvm_prof takes a longer run for damage, too. */
#define RUN_MAX_SZ (1 << 20)
/* A copy of the newest branch with a longer way back cannot be a loop of one block. */
#define LOOP_MAX_SZ 0x1000

/* perf_event_open(2): struct perf_branch_entry. */
#define MISSED 1ull
#define SPEC(flags) ((flags) >> 24 & 3)
#define SPEC_WRONG_PATH 1

static int in_order(const void *a, const void *b)
{
	const struct branch_run *x = a, *y = b;

	if (x->from != y->from)
		return x->from < y->from ? -1 : 1;
	if (x->to != y->to)
		return x->to < y->to ? -1 : 1;
	return x->next < y->next ? -1 : x->next > y->next;
}

/* Sorts runs by from, to and next, and sums up equal ones. */
static void runs__merge(struct branch_runs *runs)
{
	size_t i, cnt = 0;

	if (runs->merged == runs->cnt)
		return;
	qsort(runs->runs, runs->cnt, sizeof(*runs->runs), in_order);
	for (i = 0; i < runs->cnt; i++) {
		struct branch_run *last = cnt ? &runs->runs[cnt - 1] : NULL;

		if (last && !in_order(last, &runs->runs[i])) {
			last->cnt += runs->runs[i].cnt;
			last->missed += runs->runs[i].missed;
		} else {
			runs->runs[cnt++] = runs->runs[i];
		}
	}
	runs->cnt = runs->merged = cnt;
}

/* Appends a run, which is summed up later. 0 or -ENOMEM. */
static int runs__add(struct branch_runs *runs, const struct branch_run *run)
{
	/* Twice as many as differ are enough to make the sorting cheap for each of them. */
	if (runs->cnt >= MERGE_MIN && runs->cnt >= 2 * runs->merged)
		runs__merge(runs);
	if (array__reserve((void **)&runs->runs, &runs->cap, runs->cnt + 1, sizeof(*runs->runs)))
		return -ENOMEM;
	runs->runs[runs->cnt++] = *run;
	return 0;
}

static uint64_t place_of(struct sym *sym, int32_t pid, uint64_t addr)
{
	return addr >> 63 ? BRANCH_ELSEWHERE : sym__place(sym, pid, addr);
}

/* Returns where the code between two branches ends; BRANCH_ELSEWHERE: they do not fit together. */
static uint64_t end_of_run(uint64_t to, uint64_t next)
{
	return sym__file_idx(to) == sym__file_idx(next) && next >= to && next - to <= RUN_MAX_SZ
		       ? next
		       : BRANCH_ELSEWHERE;
}

int branch_sums__add(struct branch_sums *sums, struct sym *sym, const struct branch_stack *s)
{
	struct branch_run at = { .from = place_of(sym, s->pid, s->ip), .cnt = 1 };
	uint64_t from, to, flags, next = BRANCH_ELSEWHERE;
	int err = 0;
	size_t i;

	if (sym__file_idx(at.from))
		err = runs__add(&sums->places, &at);
	for (i = 0; i < s->cnt && !err; i++) {
		struct branch_run run;

		from = s->words[3 * i];
		to = s->words[3 * i + 1];
		flags = s->words[3 * i + 2];
		/* A stack that was not full ends in zeros. */
		if (SPEC(flags) == SPEC_WRONG_PATH || (!from && !to))
			continue;
		if (i == 1 && from == s->words[0] && to == s->words[1] && from - to > LOOP_MAX_SZ)
			continue;
		run = (struct branch_run){
			.from = place_of(sym, s->pid, from),
			.to = place_of(sym, s->pid, to),
			.cnt = 1,
			.missed = flags & MISSED,
		};
		run.next = end_of_run(run.to, next);
		next = run.from;
		if (sym__file_idx(run.from) || sym__file_idx(run.to))
			err = runs__add(&sums->branches, &run);
	}
	return err;
}

static bool has_name(const char *path, const char *name)
{
	return !name || !strcmp(path, name) || !strcmp(path__base(path), name);
}

/*
 * Returns a place in the file from which most branches were taken or, if there are no branches,
 * that most samples are in; with a name, of the files with this path or name. 0: there is none.
 */
static uint64_t main_file(const struct branch_sums *sums, const struct sym *sym, const char *name)
{
	const struct branch_runs *runs = sums->branches.cnt ? &sums->branches : &sums->places;
	uint64_t cnt = 0, best = 0, place = 0;
	size_t i;

	/* In order of places, and so of files. */
	for (i = 0; i < runs->cnt; i++) {
		uint64_t from = runs->runs[i].from;
		uint32_t idx = sym__file_idx(from);

		cnt = i && idx == sym__file_idx(runs->runs[i - 1].from) ? cnt : 0;
		cnt += runs->runs[i].cnt;
		if (idx && cnt > best && has_name(sym__path(sym, from), name)) {
			best = cnt;
			place = from;
		}
	}
	return place;
}

struct program_sums {
	struct branch_program *of;
	struct sym *sym;
	uint32_t file;
	bool by_addr;
};

/* Converts a place of the program to its offset or address. */
static uint64_t number_of(const struct program_sums *p, uint64_t place)
{
	uint64_t addr;

	if (sym__file_idx(place) != p->file)
		return BRANCH_ELSEWHERE;
	if (!p->by_addr)
		return sym__file_off(place);
	/* Code outside of the file's segments is no code of the program. */
	return sym__vaddr(p->sym, place, &addr) ? addr : BRANCH_ELSEWHERE;
}

/* Returns whether two places are in one function; those without a name are not. */
static bool in_one_function(struct sym *sym, uint64_t a, uint64_t b)
{
	struct sym_frame fa, fb;

	if (sym__file_idx(a) != sym__file_idx(b))
		return false;
	sym__function(sym, false, a, &fa);
	sym__function(sym, false, b, &fb);
	return fa.name && fb.name && sym__file_off(a) - fa.off == sym__file_off(b) - fb.off;
}

/* Adds a branch, and the code that ran behind it. 0 or -ENOMEM. */
static int add_branch(const struct program_sums *p, const struct branch_run *b)
{
	struct branch_run taken = *b, fall = { .cnt = b->cnt };
	int err = 0;

	taken.from = number_of(p, b->from);
	taken.to = fall.from = number_of(p, b->to);
	taken.next = 0;
	if (taken.from || taken.to)
		err = runs__add(&p->of->taken, &taken);
	fall.to = number_of(p, b->next);
	if (err || !fall.from || !fall.to)
		return err;
	fall.next = p->by_addr && !in_one_function(p->sym, b->from, b->to);
	return runs__add(&p->of->fall, &fall);
}

int branch_sums__of_program(struct branch_sums *sums, struct sym *sym, const char *name,
			    bool by_addr, struct branch_program *of)
{
	struct program_sums p = { .of = of, .sym = sym, .by_addr = by_addr };
	uint64_t place, addr;
	int err = 0;
	size_t i;

	*of = (struct branch_program){ .path = NULL };
	runs__merge(&sums->branches);
	runs__merge(&sums->places);
	place = main_file(sums, sym, name);
	if (!place)
		return 0;
	of->path = sym__path(sym, place);
	p.file = sym__file_idx(place);
	if (by_addr && !sym__vaddr(sym, place, &addr))
		return -ENOENT;
	for (i = 0; i < sums->branches.cnt && !err; i++)
		err = add_branch(&p, &sums->branches.runs[i]);
	for (i = 0; i < sums->places.cnt && !err; i++) {
		struct branch_run run = sums->places.runs[i];

		run.from = number_of(&p, run.from);
		err = run.from ? runs__add(&of->places, &run) : 0;
	}
	runs__merge(&of->taken);
	runs__merge(&of->fall);
	runs__merge(&of->places);
	return err;
}

static void runs__free(struct branch_runs *runs)
{
	free(runs->runs);
	*runs = (struct branch_runs){ NULL };
}

void branch_program__free(struct branch_program *of)
{
	runs__free(&of->taken);
	runs__free(&of->fall);
	runs__free(&of->places);
}

void branch_sums__free(struct branch_sums *sums)
{
	runs__free(&sums->branches);
	runs__free(&sums->places);
}
