/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * The lines of a report: the rows of one event (profile/hist.h) grouped by the sort keys, the
 * largest first.
 */
#ifndef BPFPERF_PROFILE_HIST_ENTRIES_H
#define BPFPERF_PROFILE_HIST_ENTRIES_H

#include "profile/hist.h"

/* The numbers that an entry has of one event of its group. */
struct hist_numbers {
	uint64_t samples; /* number of those in the function itself */
	uint64_t self; /* period of the samples in the function itself */
	uint64_t total; /* self and the period of the functions that it calls */
	uint64_t by_mode[HIST_MODES + 1]; /* self, by the mode of the processor */
};

struct hist_entry {
	uint32_t comm, cpu, srcline, trace;
	uint32_t facts; /* index into hist.facts; 0 if there is no key of them */
	int32_t tid, pid;
	uint32_t func; /* index into hist.funcs; with HIST_DSO alone, any function of the file */
	uint64_t addr; /* of its first sample: in the file, or that of a call in memory */
	bool has_own_addr; /* the sample was of the first event */
	char level;
	bool is_hidden; /* it has no sample that was selected */
	struct hist_numbers own; /* of the first event */
	size_t rest; /* index into hist_entries.rest: the other events */
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
	uint32_t event, event_cnt; /* a group has several */
	struct hist_entry *all; /* in the order in which they are printed */
	size_t cnt, cap;
	struct hist_numbers *rest;
	size_t rest_cnt, rest_cap;
	struct hist_ref *refs; /* sorted by entry; of the first event */
	size_t ref_cnt, ref_cap;
	struct u64map by_key;
};

/* Returns what the entry has of an event of the group. */
static inline const struct hist_numbers *
hist_entries__numbers(const struct hist_entries *es, const struct hist_entry *e, uint32_t member)
{
	return member ? &es->rest[e->rest + member - 1] : &e->own;
}

/* Returns the number of a key before HIST_NUMBER_CNT; of a share the period. */
uint64_t hist_numbers__get(const struct hist_numbers *n, enum hist_key key);

/*
 * Makes the lines of event_cnt events, those of a group or one; `hist` outlives them and must not
 * change. 0 or -ENOMEM. hist_entries__free() frees them in both cases.
 */
int hist_entries__build(struct hist_entries *es, const struct hist *hist, uint32_t event,
			uint32_t event_cnt);
void hist_entries__free(struct hist_entries *es);
/* Orders entries by the shares that no key names, the largest first. */
int hist_entries__cmp_numbers(const struct hist_entries *es, const struct hist_entry *a,
			      const struct hist_entry *b);
/* Orders entries by the keys from..to; 0: they agree in these. */
int hist_entries__cmp_keys(const struct hist_entries *es, const struct hist_entry *a,
			   const struct hist_entry *b, uint32_t from, uint32_t to);

#endif
