/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Facts of a sample besides its thread and its place, for the sort keys that few reports have. A
 * row refers to its facts by number, so that reports without these keys pay nothing for them.
 */
#ifndef BPFPERF_PROFILE_HIST_FACTS_H
#define BPFPERF_PROFILE_HIST_FACTS_H

#include "profile/hist.h"

struct hist_entry;
struct strbuf;

/* Is the value of this key in the facts? */
static inline bool hist_facts__has(enum hist_key key)
{
	return key >= HIST_FACTS;
}

/* Returns whether the report has a key of which the facts have the value. */
bool hist_facts__any(const struct hist_config *cfg);
/*
 * Returns the number of these facts, which are added if they are new; keys that were not asked for
 * are 0. UINT32_MAX: no memory.
 */
uint32_t hist_facts__add(struct hist *h, const struct hist_facts *facts);
uint64_t hist_facts__get(const struct hist *h, uint32_t facts, enum hist_key key);
/* Orders two entries of the same share like perf report. */
int hist_facts__cmp(const struct hist *h, enum hist_key key, uint32_t a, uint32_t b);
const char *hist_facts__heading(enum hist_key key);
/* The smallest width of the column. */
size_t hist_facts__width(enum hist_key key);
void hist_facts__put(const struct hist *h, enum hist_key key, const struct hist_entry *e,
		     struct strbuf *out);

#endif
