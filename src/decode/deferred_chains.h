/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Samples with a user callchain that comes later (Linux 6.19, attr.defer_callchain): the kernel
 * unwinds the user stack shortly before the thread returns to user mode, and writes it as a
 * PERF_RECORD_CALLCHAIN_DEFERRED, which a cookie ties to the samples since the thread entered the
 * kernel. Until then they wait here.
 */
#ifndef BPFPERF_DECODE_DEFERRED_CHAINS_H
#define BPFPERF_DECODE_DEFERRED_CHAINS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <linux/perf_event.h>

#include "data/perf_sample.h"
#include "util/strbuf.h"

/* A sample that waits; made by deferred_chains__hold(), freed with free(). */
struct deferred_sample {
	struct deferred_sample *older, *newer; /* of all threads */
	struct deferred_sample *next; /* of those that share a bucket, in order of arrival */
	uint64_t cookie;
	uint32_t tid;
	struct perf_event_header hdr[]; /* the record */
};

#define DEFERRED_BUCKETS 1024

struct deferred_bucket {
	struct deferred_sample *first, **end; /* end: of a list that is not empty */
};

struct deferred_chains {
	struct deferred_sample *oldest, *newest;
	struct deferred_bucket buckets[DEFERRED_BUCKETS]; /* by tid */
	size_t sz; /* bytes of all that wait */
	size_t max_sz; /* 0: DEFERRED_MAX_SZ */
	struct strbuf words; /* the callchain that was joined last */
};

/* A thread may sleep in the kernel for hours: when more waits, the oldest is handed on as it is. */
#define DEFERRED_MAX_SZ (64u << 20)

/* Returns whether the sample's user callchain comes later; *cookie is set if so. */
bool deferred_chains__is_open(const struct perf_sample *s, uint64_t *cookie);
/* Takes a copy of a sample's record. 0 or -ENOMEM. */
int deferred_chains__hold(struct deferred_chains *d, const struct perf_event_header *hdr,
			  uint32_t tid, uint64_t cookie);
/* Removes the oldest sample of a thread; NULL: none waits. The caller frees it. */
struct deferred_sample *deferred_chains__take(struct deferred_chains *d, uint32_t tid);
/* Removes the oldest of all samples if more wait than may, or with `all`; NULL: none. */
struct deferred_sample *deferred_chains__expire(struct deferred_chains *d, bool all);
/*
 * Reads a PERF_RECORD_CALLCHAIN_DEFERRED in this machine's byte order: *user has the addresses,
 * within the record. Returns false if it is shorter than its fields.
 */
bool deferred_chains__parse(const struct perf_event_header *hdr, uint64_t *cookie,
			    struct perf_words *user);
/*
 * Replaces the cookie in s->callchain by the user callchain. The words are in d until the next
 * call; without memory the callchain stays as it is.
 */
void deferred_chains__join(struct deferred_chains *d, struct perf_sample *s,
			   const struct perf_words *user);
/* Frees what waits. A zeroed d is empty. */
void deferred_chains__free(struct deferred_chains *d);

#endif
