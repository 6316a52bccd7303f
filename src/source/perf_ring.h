/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * A ring that the kernel writes records into, as it is mapped: one page of control, then the data.
 *
 * Order of memory (the kernel's Documentation/userspace-api/perf_ring_buffer.rst; kernel/events/
 * ring_buffer.c, perf_output_put_handle()). The two sides share data_head and data_tail:
 *
 *     kernel                             here
 *     if (LOAD data_tail) {              LOAD data_head        acquire
 *                     (A) control        (C)
 *         STORE data                     LOAD data
 *                     (B) wmb            (D)
 *         STORE data_head                STORE data_tail       release
 *     }
 *
 * (B) pairs with (C): who sees a head sees the bytes before it. An acquire load is enough for that,
 * since what must not be done early here are loads. (D) pairs with (A): the kernel writes over
 * bytes only after it has seen a tail behind them, and no load of these bytes may then be still to
 * come here. A release store keeps loads before it, so that no full barrier is needed. On x86-64
 * both are plain moves; on arm64 ldar and stlr. The same holds for aux_head and aux_tail, where (B)
 * is the PMU driver's duty.
 *
 * An overwriting ring, mapped without PROT_WRITE, has no tail: nothing but (C), while its output is
 * paused.
 */
#ifndef BPFPERF_SOURCE_PERF_RING_H
#define BPFPERF_SOURCE_PERF_RING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <linux/perf_event.h>

#include "source/backward.h"

static inline uint64_t ring__load_head(const __u64 *head)
{
	return __atomic_load_n(head, __ATOMIC_ACQUIRE);
}

static inline void ring__store_tail(__u64 *tail, uint64_t val)
{
	__atomic_store_n(tail, val, __ATOMIC_RELEASE);
}

/* Records that were counted in passing. */
struct perf_ring_counts {
	uint64_t records, samples;
	uint64_t lost; /* told by LOST and LOST_SAMPLES */
	uint64_t throttled;
	uint64_t aux_records, aux_truncated, aux_collisions, aux_partial;
};

struct perf_ring {
	struct perf_event_mmap_page *page; /* NULL: not mapped */
	char *data;
	size_t sz, page_sz;
	bool overwrite;
	uint64_t at; /* read up to here; of an overwriting ring its head at the last dump */
	struct perf_ring_counts counts;
	const struct perf_event_header *last_sample; /* of the records that fn is given; or NULL */
	bool aux_stopped; /* an AUX record said that its event was stopped for want of room */
};

/*
 * Maps the ring of an event: sz bytes of data, a power of two of pages; an overwriting one is of an
 * event with attr.write_backward. 0 or -errno.
 */
int perf_ring__map(struct perf_ring *r, int fd, size_t sz, bool overwrite);
void perf_ring__unmap(struct perf_ring *r);

/* Whole records that lie together. 0: go on. */
typedef int (*perf_ring_fn)(void *ctx, const void *recs, size_t sz);

/*
 * Hands on all that is in the ring, in large pieces, then gives the room back. A record that the
 * end of the ring cuts is put together by itself. 0, or what fn returned.
 */
int perf_ring__drain(struct perf_ring *r, perf_ring_fn fn, void *ctx);
/*
 * Hands on the records of an overwriting ring whose output is paused: those that no dump had,
 * oldest first, by single records. `copy` is room that may be used again. 0, what fn returned, or
 * -ENOMEM.
 */
int perf_ring__dump(struct perf_ring *r, struct backward_copy *copy, perf_ring_fn fn, void *ctx);

#endif
