/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* The lines of a report: one event's rows (profile/hist.h) by what was asked for, the largest first. */
#ifndef BPFPERF_PROFILE_HIST_ENTRIES_H
#define BPFPERF_PROFILE_HIST_ENTRIES_H

#include "profile/hist.h"

struct hist_entry {
	uint32_t comm, cpu, srcline, trace;
	int32_t tid, pid;
	uint32_t func; /* index into hist.funcs; with HIST_DSO alone, one of those in that file */
	char level;
	uint64_t self; /* period of its own samples */
	uint64_t total; /* with those of what it calls */
	uint32_t depth; /* of its longest callchain */
	int32_t first_tid;
	uint32_t mark; /* the row it was counted for last, + 1 */
	size_t ref; /* of its callchains in hist_entries.refs */
	size_t ref_cnt;
};

/* A callchain below an entry: of a row, its frames from pos on. */
struct hist_ref {
	uint32_t entry, row, pos;
};

struct hist_entries {
	const struct hist *hist;
	uint32_t event;
	struct hist_entry *all; /* as printed */
	size_t cnt, cap;
	struct hist_ref *refs; /* by entry */
	size_t ref_cnt, ref_cap;
	struct u64map by_key;
};

/* Makes the lines of an event; `hist` outlives them, unchanged. 0 or -ENOMEM. Freed in both cases by free. */
int hist_entries__build(struct hist_entries *es, const struct hist *hist, uint32_t event);
void hist_entries__free(struct hist_entries *es);

#endif
