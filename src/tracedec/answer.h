/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * The items that were decoded, on their way to bpfperf, which takes the chunks of all processes in
 * turn: what it does not take yet is kept, up to a limit, so that this process decodes meanwhile.
 */
#ifndef BPFPERF_TRACEDEC_ANSWER_H
#define BPFPERF_TRACEDEC_ANSWER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "itrace/wire.h"

/* A frame and its items, as they are sent. */
struct answer_block {
	struct answer_block *next;
	bool is_small; /* it has room for its items alone */
	struct itrace_frame frame;
	struct itrace_item items[ITRACE_FRAME_MAX];
};

struct answer {
	int fd; /* a stream socket */
	size_t max_sz; /* bytes that may wait */
	/* Blocks that wait, oldest first; sent: bytes of the first that are on their way. */
	struct answer_block *first, *last;
	size_t sent, waiting_sz;
	struct answer_block *spare; /* blocks that were sent */
	struct answer_block *open; /* that items are added to */
	uint32_t chunk;
};

/* 0 or -ENOMEM. */
int answer__init(struct answer *a, int fd, size_t max_sz);

/* Returns the next item, zeroed, to be filled; it belongs to the chunk `chunk`. */
struct itrace_item *answer__add(struct answer *a);
/* Ends a chunk, with the sums that its last frame has. */
void answer__end_chunk(struct answer *a, const struct itrace_frame *sums);
/* Waits until bpfperf has taken everything. */
void answer__finish(struct answer *a);

#endif
