/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * A ring that is written backward and overwrites (attr.write_backward, mapped
 * read-only): its newest record lies at data_head, older ones behind it, up to
 * where the newest writing has cut one. Pure: the memory may be anybody's.
 */
#ifndef BPFPERF_SOURCE_BACKWARD_H
#define BPFPERF_SOURCE_BACKWARD_H

#include <stddef.h>
#include <stdint.h>

#include <linux/perf_event.h>

/* A copy of a ring's records, in one piece. */
struct backward_copy {
	char *bytes; /* owned; newest record first */
	size_t cap;
	size_t sz; /* bytes of whole records */
};

/*
 * Copies out of the ring `data` of `ring_sz` bytes (a power of two) all whole records that were
 * written since its head stood at prev_head; `head` is where it stands now. The ring must not be
 * written meanwhile. 0 or -ENOMEM.
 */
int backward__copy(struct backward_copy *copy, const void *data, size_t ring_sz, uint64_t head,
		   uint64_t prev_head);
void backward_copy__free(struct backward_copy *copy);

/*
 * Calls fn for each record of a copy, oldest first. Stops with what fn returned if that is not 0;
 * -ENOMEM.
 */
int backward__each(const struct backward_copy *copy,
		   int (*fn)(void *ctx, const struct perf_event_header *hdr), void *ctx);

#endif
