/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * The callchains below an entry, printed as a tree of branches with their shares. No nodes are
 * built: the chains are sorted, and a branch is a range of chains that begin with the same
 * functions.
 */
#ifndef BPFPERF_PROFILE_HIST_CHAIN_H
#define BPFPERF_PROFILE_HIST_CHAIN_H

#include "profile/hist_entries.h"
#include "util/strbuf.h"

struct chain_seq {
	const uint32_t *frames;
	uint32_t len;
	uint64_t period, samples;
};

struct hist_chain {
	const struct hist *hist;
	uint32_t *rank; /* by function: order of branches that have equal shares */
	struct chain_seq *seqs;
	size_t cnt, cap;
	/* sums[i]: periods of the chains before chain i; cnt + 1 elements; and their samples */
	uint64_t *sums, *counts;
	uint64_t total; /* sum of the event's periods */
};

/* Prepares the chains of one event's entries; total: the sum of their periods. 0 or -ENOMEM. */
int hist_chain__init(struct hist_chain *hc, const struct hist *hist, uint64_t total);
void hist_chain__free(struct hist_chain *hc);
/* Prints the tree of one entry like perf report. 0 or -ENOMEM. */
int hist_chain__print(struct hist_chain *hc, const struct hist_entries *es,
		      const struct hist_entry *e, struct strbuf *out);

/* For the files that print chains. Writes the name of function i of a chain. */
void hist_chain__put_func(const struct hist_chain *hc, const struct chain_seq *seq, uint32_t i,
			  struct strbuf *out);
/* Writes the number before a branch: its share of total, its period, or its samples. */
void hist_chain__put_value(const struct hist_chain *hc, uint64_t period, uint64_t samples,
			   uint64_t total, struct strbuf *out);
/* The functions that two chains have in common at their beginning. */
uint32_t hist_chain__common(const struct hist_chain *hc, const struct chain_seq *a,
			    const struct chain_seq *b);
/* Prints the loaded chains one by one; smaller than min: not. 0 or -ENOMEM. */
int hist_chain_list__print(const struct hist_chain *hc, uint64_t min, struct strbuf *out);

#endif
