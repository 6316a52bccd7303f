/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * The AUX area of a ring: bytes that a PMU writes beside the records. Accesses to aux_head and
 * aux_tail are ordered like those to data_head and data_tail (source/perf_ring.h).
 *
 * In snapshot mode the area is mapped without PROT_WRITE: the PMU overwrites it in a circle, and
 * there is no tail. The event must be stopped while a snapshot is taken, since the kernel updates
 * the head only then.
 */
#ifndef BPFPERF_SOURCE_AUX_RING_H
#define BPFPERF_SOURCE_AUX_RING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <linux/perf_event.h>

struct aux_ring {
	struct perf_event_mmap_page *page; /* the ring's; NULL: there is no AUX area */
	char *data;
	size_t sz;
	bool snapshot;
	uint64_t at; /* head when it was read last */
	bool wrapped; /* snapshot: the area has been full, and its head is an offset into it */
	uint64_t bytes; /* bytes handed on so far */
};

/* Bytes of the area in the order of writing; the second part lies at the beginning of the area. */
struct aux_data {
	uint64_t off; /* as in PERF_RECORD_AUX: bytes since the beginning */
	const void *data1, *data2;
	size_t sz1, sz2;
};

/* Maps the area; `page` and ring_sz belong to the ring that is already mapped. 0 or -errno. */
int aux_ring__map(struct aux_ring *a, struct perf_event_mmap_page *page, size_t ring_sz, int fd,
		  size_t sz, bool snapshot);
void aux_ring__unmap(struct aux_ring *a);

/*
 * Finds the bytes written since the last call; false if there are none. aux_ring__done() frees
 * their room.
 */
bool aux_ring__read(struct aux_ring *a, struct aux_data *d);
void aux_ring__done(struct aux_ring *a);
/*
 * Takes a snapshot while the event is stopped: the newest bytes that no earlier snapshot took, at
 * most `max` (0: no limit). Some PMUs count bytes in aux_head, for others it is an offset into the
 * area (Intel PT). The latter have wrapped if any byte after the head is non-zero, since the kernel
 * clears the area first. From then on a snapshot is the whole area.
 */
bool aux_ring__snapshot(struct aux_ring *a, size_t max, struct aux_data *d);

#endif
