/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * The callchains below an entry, as a tree whose branches are printed with
 * their share. There are no nodes: the chains stand in order, and a branch is
 * a range of them that begin alike.
 */
#ifndef BPFPERF_PROFILE_HIST_CHAIN_H
#define BPFPERF_PROFILE_HIST_CHAIN_H

#include "profile/hist_entries.h"
#include "util/strbuf.h"

struct chain_seq {
	const uint32_t *frames;
	uint32_t len;
	uint64_t period;
};

struct hist_chain {
	const struct hist *hist;
	uint32_t *rank; /* by function: the order of branches of the same share */
	struct chain_seq *seqs;
	size_t cnt, cap;
	uint64_t *sums; /* of the periods before a chain: cnt + 1 */
	uint64_t total; /* of the event */
};

/* For the entries of one event whose periods sum up to `total`. 0 or -ENOMEM. */
int hist_chain__init(struct hist_chain *hc, const struct hist *hist, uint64_t total);
void hist_chain__free(struct hist_chain *hc);
/* The tree of one entry, as perf report prints it. 0 or -ENOMEM. */
int hist_chain__print(struct hist_chain *hc, const struct hist_entries *es,
		      const struct hist_entry *e, struct strbuf *out);

#endif
