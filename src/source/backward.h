/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * A ring that is written backward and overwrites (attr.write_backward, mapped read-only): the
 * newest record lies at data_head, older ones follow, up to the first one that the newest writes
 * have overwritten in part. Pure functions: any memory can be passed.
 */
#ifndef BPFPERF_SOURCE_BACKWARD_H
#define BPFPERF_SOURCE_BACKWARD_H

#include <stddef.h>
#include <stdint.h>

#include <linux/perf_event.h>

/* A contiguous copy of a ring's records. */
struct backward_copy {
	char *bytes; /* owned; newest record first */
	size_t cap;
	size_t sz; /* bytes of whole records */
};

/*
 * Copies all whole records that were written since the head was at prev_head out of the ring `data`
 * of `ring_sz` bytes (a power of two); `head` is its current value. The ring must not be written
 * during the call. 0 or -ENOMEM.
 */
int backward__copy(struct backward_copy *copy, const void *data, size_t ring_sz, uint64_t head,
		   uint64_t prev_head);
void backward_copy__free(struct backward_copy *copy);

/*
 * Calls fn for each record of a copy, oldest first. Stops with the value of fn if that is not 0;
 * -ENOMEM.
 */
int backward__each(const struct backward_copy *copy,
		   int (*fn)(void *ctx, const struct perf_event_header *hdr), void *ctx);

#endif
