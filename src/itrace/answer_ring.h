/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* The frames of a helper's process, as bpfperf reads them: the process is not trusted. */
#ifndef BPFPERF_ITRACE_ANSWER_RING_H
#define BPFPERF_ITRACE_ANSWER_RING_H

#include <stdint.h>

#include "itrace/wire.h"

struct answer_ring {
	struct itrace_ring *mem; /* NULL: there is none */
	uint64_t sz; /* of mem->bytes */
	uint64_t at; /* position of the next frame, or behind the last one */
	int fd; /* the socket on which the two wake each other; not owned */
};

/*
 * Makes a ring for a process, with ring_sz bytes of frames. Returns the descriptor of its memory,
 * which keeps its size, to be given to the process and closed, or -errno.
 */
int answer_ring__make(struct answer_ring *r, int fd, uint64_t ring_sz);
void answer_ring__free(struct answer_ring *r);
/*
 * Waits for the next frame and copies its head. 0; -EPIPE: the process has ended, or keeps to no
 * rule; -ECANCELED: a signal asks for the end.
 */
int answer_ring__wait(struct answer_ring *r, struct itrace_frame *frame);
/* Copies the items of that frame, and gives its room back. */
void answer_ring__take(struct answer_ring *r, const struct itrace_frame *frame,
		       struct itrace_item *items);

#endif
