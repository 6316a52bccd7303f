// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "sink/branch_rows.h"

#include <errno.h>

#include "data/branch_flags.h"
#include "data/perf_sample.h"
#include "profile/block_cycles.h"
#include "profile/hist_names.h"
#include "util/log.h"

void branch_rows__add_keys(struct hist_config *cfg)
{
	static const enum hist_key keys[] = { HIST_COMM, HIST_DSO_FROM, HIST_SYM_FROM, HIST_SYM_TO,
					      HIST_CYCLES };
	size_t i;

	for (i = 0; i < sizeof(keys) / sizeof(*keys); i++)
		cfg->keys[cfg->key_cnt++] = keys[i];
}

int branch_rows__check(const struct hist_config *cfg, const struct attrs *attrs, const char *path)
{
	size_t i;

	if (!cfg->is_branches) {
		if (!hist__has_branch_key(cfg))
			return 0;
		log_error(
			"-s: dso_from, dso_to, symbol_from, symbol_to, srcline_from, "
			"srcline_to, mispredict, abort, in_tx and cycles are keys of branches; give -b, too");
		return -EINVAL;
	}
	for (i = 0; i < attrs->cnt; i++)
		if (attrs->events[i].attr.sample_type & PERF_SAMPLE_BRANCH_STACK)
			return 0;
	log_error("%s needs branch stacks, and %s has none; record with -b",
		  cfg->is_blocks ? "--total-cycles" : "-b", path);
	return -EINVAL;
}

uint64_t branch_rows__cnt(const struct sample *s)
{
	return s->perf->branches.cnt / 3;
}

static void set(struct hist_facts *facts, const struct hist_config *cfg, enum hist_key key,
		uint64_t value)
{
	/* Facts that are no keys would separate rows. */
	if (hist__has_key(cfg, key))
		facts->v[key - HIST_FACTS] = value;
}

/* 1 + the text of the function's file; 0: nothing is mapped there. */
static uint64_t file_of(const struct hist *h, uint32_t func)
{
	return h->funcs[func].is_mapped ? 1 + (uint64_t)h->funcs[func].dso : 0;
}

/* 1 + the text of the line; 0: nothing is mapped there. */
static uint64_t line_of(const struct hist *h, const struct hist_addr *addr)
{
	return h->funcs[addr->self].is_mapped && addr->srcline != TEXTS_NONE
		       ? 1 + (uint64_t)addr->srcline
		       : 0;
}

static int add(struct hist_names *names, int32_t pid, const uint64_t words[3],
	       struct hist_sample *hs, struct hist_facts *facts)
{
	const struct hist_config *cfg = &names->hist->cfg;
	struct hist_addr from, to;
	uint64_t flags = words[2];

	if (hist_names__self(names, pid, words[0], words[0] >> 63, &from) ||
	    hist_names__self(names, pid, words[1], words[1] >> 63, &to))
		return -ENOMEM;
	set(facts, cfg, HIST_DSO_FROM, file_of(names->hist, from.self));
	set(facts, cfg, HIST_DSO_TO, file_of(names->hist, to.self));
	set(facts, cfg, HIST_SYM_FROM, 1 + (uint64_t)from.self);
	set(facts, cfg, HIST_SYM_TO, 1 + (uint64_t)to.self);
	set(facts, cfg, HIST_SRCLINE_FROM, line_of(names->hist, &from));
	set(facts, cfg, HIST_SRCLINE_TO, line_of(names->hist, &to));
	set(facts, cfg, HIST_MISPREDICT,
	    flags & BRANCH_PREDICTED ? 1
	    : flags & BRANCH_MISSED  ? 2
				     : 0);
	set(facts, cfg, HIST_ABORT, flags & BRANCH_ABORT);
	set(facts, cfg, HIST_IN_TX, flags & BRANCH_IN_TX);
	set(facts, cfg, HIST_CYCLES, branch_flags__cycles(flags));
	hs->self = to.self;
	hs->srcline = to.srcline;
	hs->level = to.level;
	return hist__add(names->hist, hs);
}

int branch_rows__add(struct hist_names *names, const struct sample *s, struct hist_sample *hs,
		     struct hist_facts *facts)
{
	uint64_t i, cnt = branch_rows__cnt(s), words[3];
	unsigned int k;
	int err = 0;

	hs->period = 1;
	hs->frame_cnt = 0;
	for (i = 0; i < cnt && !err; i++) {
		for (k = 0; k < 3; k++)
			words[k] = perf_words__get(&s->perf->branches, 3 * i + k);
		err = add(names, s->pid, words, hs, facts);
	}
	return err;
}

bool branch_rows__are_all(const struct attrs *attrs)
{
	size_t i;

	for (i = 0; i < attrs->cnt; i++)
		if (attrs->events[i].attr.branch_sample_type & PERF_SAMPLE_BRANCH_ANY)
			return true;
	return false;
}

/* Stacks have the newest branch first. Without cycles of that one a stack has none, as in perf. */
int branch_rows__add_blocks(struct hist_names *names, const struct sample *s,
			    struct block_cycles *blocks, bool has_starts)
{
	const struct perf_words *words = &s->perf->branches;
	uint64_t i = branch_rows__cnt(s), addr;
	struct hist_addr from, to;
	unsigned int cycles;
	bool has_to = false;
	int err = 0;

	if (!i || !branch_flags__cycles(perf_words__get(words, 2)))
		return 0;
	while (i-- && !err) {
		cycles = branch_flags__cycles(perf_words__get(words, 3 * i + 2));
		addr = perf_words__get(words, 3 * i);
		err = hist_names__self(names, s->pid, addr, addr >> 63, &from);
		if (!err)
			err = block_cycles__add(blocks, names->hist, &from,
						has_starts && has_to ? &to : NULL, cycles);
		addr = perf_words__get(words, 3 * i + 1);
		if (!err)
			err = hist_names__self(names, s->pid, addr, addr >> 63, &to);
		has_to = true;
		blocks->total += cycles;
	}
	return err;
}
