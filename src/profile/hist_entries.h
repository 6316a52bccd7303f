/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * The lines of a report: the rows of one event (profile/hist.h) grouped by the sort keys, the
 * largest first.
 */
#ifndef BPFPERF_PROFILE_HIST_ENTRIES_H
#define BPFPERF_PROFILE_HIST_ENTRIES_H

#include "profile/hist.h"

struct hist_entry {
	uint32_t comm, cpu, srcline, trace;
	int32_t tid, pid;
	uint32_t func; /* index into hist.funcs; with HIST_DSO alone, any function of the file */
	char level;
	uint64_t samples; /* number of those in the function itself */
	uint64_t self; /* period of the samples in the function itself */
	uint64_t total; /* self and the period of the functions that it calls */
	uint32_t depth; /* depth of its longest callchain */
	int32_t first_tid;
	uint32_t mark; /* index of the row that was added last, + 1 */
	size_t ref; /* index of its callchains in hist_entries.refs */
	size_t ref_cnt;
};

/* A callchain below an entry: the frames of a row, from pos on. */
struct hist_ref {
	uint32_t entry, row, pos;
};

struct hist_entries {
	const struct hist *hist;
	uint32_t event;
	struct hist_entry *all; /* in the order in which they are printed */
	size_t cnt, cap;
	struct hist_ref *refs; /* sorted by entry */
	size_t ref_cnt, ref_cap;
	struct u64map by_key;
};

/*
 * Makes the lines of an event; `hist` outlives them and must not change. 0 or -ENOMEM.
 * hist_entries__free() frees them in both cases.
 */
int hist_entries__build(struct hist_entries *es, const struct hist *hist, uint32_t event);
void hist_entries__free(struct hist_entries *es);

#endif
