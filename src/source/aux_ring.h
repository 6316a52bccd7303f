/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * The AUX area of a ring: bytes that a PMU writes beside the records. aux_head and aux_tail are
 * kept in order as data_head and data_tail are (source/perf_ring.h).
 *
 * In snapshot mode the area is mapped without PROT_WRITE: the PMU goes round and round, and there
 * is no tail. Its event must be stopped while a snapshot is taken, since the head is told only
 * then.
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
	bool wrapped; /* snapshot: the area has been full, and its head is a place in it */
	uint64_t bytes; /* handed on */
};

/* Bytes of the area in the order they were written: the second part is at the area's beginning. */
struct aux_data {
	uint64_t off; /* as PERF_RECORD_AUX counts them: bytes since the beginning */
	const void *data1, *data2;
	size_t sz1, sz2;
};

/* `page` and ring_sz are of the ring that is mapped already. 0 or -errno. */
int aux_ring__map(struct aux_ring *a, struct perf_event_mmap_page *page, size_t ring_sz, int fd,
		  size_t sz, bool snapshot);
void aux_ring__unmap(struct aux_ring *a);

/*
 * Finds the bytes written since the last call; false: there are none. aux_ring__done() gives the
 * room back.
 */
bool aux_ring__read(struct aux_ring *a, struct aux_data *d);
void aux_ring__done(struct aux_ring *a);
/*
 * A snapshot, whose event is stopped: the newest bytes that no snapshot before had, `max` at the
 * most (0: all there are). There are PMUs that count bytes in aux_head, and others whose aux_head
 * is a place in the area (Intel PT): these have gone round where something stands behind it, as the
 * kernel clears the area before. From then on a snapshot is all of the area.
 */
bool aux_ring__snapshot(struct aux_ring *a, size_t max, struct aux_data *d);

#endif
