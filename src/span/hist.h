/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * A histogram of durations, by the buckets of bpf/span_wire.h: 64 of equal width for each power of
 * two, so that its quantiles are at most 1/128 (0.8 %) off.
 */
#ifndef BPFPERF_SPAN_HIST_H
#define BPFPERF_SPAN_HIST_H

#include <stddef.h>
#include <stdint.h>

struct span_bucket {
	uint32_t bucket; /* wire_span_bucket() */
	uint64_t cnt, ns;
};

struct span_hist {
	struct span_bucket *at; /* in ascending order of buckets */
	size_t cnt, cap;
	uint64_t total, ns, max_ns; /* exact: number, sum, longest */
};

/* Adds durations of one bucket, in any order of buckets. 0 or -ENOMEM. */
int span_hist__add(struct span_hist *h, uint32_t bucket, uint64_t cnt, uint64_t ns,
		   uint64_t max_ns);
void span_hist__free(struct span_hist *h);

/* Returns the least number of a bucket, and the one behind its largest (0: 2^64). */
uint64_t span_bucket__from(uint32_t bucket);
uint64_t span_bucket__to(uint32_t bucket);

/*
 * Returns the duration in ns that the share q (0 to 1) of all does not exceed: the element of rank
 * ceil(q * total). It is the middle of that element's bucket, or the element if it is alone there.
 */
uint64_t span_hist__quantile(const struct span_hist *h, double q);
/* Returns the mean in ns; 0: nothing was counted. */
uint64_t span_hist__mean(const struct span_hist *h);

#endif
