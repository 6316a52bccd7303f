/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * The items that were decoded, on their way to bpfperf, which takes the chunks of all processes in
 * turn: they are written into memory that is shared with it, and decoding goes on while there is
 * room.
 */
#ifndef BPFPERF_TRACEDEC_ANSWER_H
#define BPFPERF_TRACEDEC_ANSWER_H

#include <stdint.h>

#include "itrace/wire.h"

struct answer {
	int fd; /* a stream socket, to be woken by bpfperf, and to wake it */
	struct itrace_ring *ring;
	uint64_t sz; /* of ring->bytes */
	uint64_t at; /* position of the open frame */
	struct itrace_frame *open; /* that items are added to */
	struct itrace_item *items; /* of the open frame */
	uint32_t cnt; /* of these */
	uint64_t present_sz; /* bytes of the ring that are in memory */
	uint32_t chunk;
};

/* Maps the ring, of ring_sz bytes of frames. 0 or -errno. */
int answer__init(struct answer *a, int fd, int ring_fd, uint64_t ring_sz);

/* Returns the next item, zeroed, to be filled; it belongs to the chunk `chunk`. */
struct itrace_item *answer__add(struct answer *a);
/* Ends a chunk, with the sums that its last frame has. */
void answer__end_chunk(struct answer *a, const struct itrace_frame *sums);

#endif
