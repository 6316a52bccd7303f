/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * A mapped ring that the kernel writes records to: one control page, then the data.
 *
 * Memory ordering (the kernel's Documentation/userspace-api/perf_ring_buffer.rst; kernel/events/
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
 * (B) pairs with (C): a reader that sees a head sees the bytes before it. An acquire load
 * suffices, since only loads must not move up here. (D) pairs with (A): the kernel overwrites bytes
 * only after it has seen a tail behind them, and no load of these bytes may still be pending here.
 * A release store keeps earlier loads before it, so no full barrier is needed. On x86-64 both are
 * plain moves; on arm64 ldar and stlr. aux_head and aux_tail are ordered alike; there (B) is the
 * duty of the PMU driver.
 *
 * An overwriting ring, mapped without PROT_WRITE, has no tail: only (C) applies, while its output
 * is paused.
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

/* Records counted while they are read. */
struct perf_ring_counts {
	uint64_t records, samples;
	uint64_t lost; /* number reported by LOST and LOST_SAMPLES */
	uint64_t throttled;
	uint64_t aux_records, aux_truncated, aux_collisions, aux_partial;
};

struct perf_ring {
	struct perf_event_mmap_page *page; /* NULL: not mapped */
	char *data;
	size_t sz, page_sz;
	bool overwrite;
	/* no event of the ring has attr.build_id (data/build_id_bit.h); never set if overwriting */
	bool no_build_ids;
	/* position of the next read; for an overwriting ring its head at the last dump */
	uint64_t at;
	struct perf_ring_counts counts;
	/* the last sample among the records passed to fn; or NULL */
	const struct perf_event_header *last_sample;
	/* an AUX record reported that its event was stopped because the area was full */
	bool aux_stopped;
};

/*
 * Maps the ring of an event: sz bytes of data, a power of two of pages; an overwriting ring needs
 * an event with attr.write_backward. 0 or -errno.
 */
int perf_ring__map(struct perf_ring *r, int fd, size_t sz, bool overwrite);
void perf_ring__unmap(struct perf_ring *r);

/* Receives contiguous whole records. Returns 0 to go on. */
typedef int (*perf_ring_fn)(void *ctx, const void *recs, size_t sz);

/*
 * Hands on all records in the ring, in large pieces, then frees their room. A record split by the
 * end of the ring, or one whose bit of build ids is cleared, is copied and handed on by itself. 0,
 * or the value that fn returned.
 */
int perf_ring__drain(struct perf_ring *r, perf_ring_fn fn, void *ctx);
/*
 * Hands on the records of an overwriting ring while its output is paused: those of no earlier dump,
 * oldest first, one at a time. `copy` is a reusable buffer. 0, the value that fn returned, or
 * -ENOMEM.
 */
int perf_ring__dump(struct perf_ring *r, struct backward_copy *copy, perf_ring_fn fn, void *ctx);

#endif
