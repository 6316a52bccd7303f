/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Packets of Intel PT as text, in the form of `perf script -D` (Intel SDM, volume 3, chapter 33).
 */
#ifndef BPFPERF_ITRACE_PACKETS_H
#define BPFPERF_ITRACE_PACKETS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "util/strbuf.h"

/* No packet is longer. */
#define PACKET_MAX_SZ 16

/* Zeroed: at the begin of the bytes of a record. */
struct packets {
	uint64_t at; /* bytes before */
	uint8_t item_sz; /* of the items in a block (BBP … BEP); 0: outside of one */
};

/*
 * Puts lines ".  00000010:  19 …   TSC 0x…" for the packets at p, of which sz bytes are there; with
 * is_end, no more follow. Returns the number of bytes that were printed: the rest is a packet that
 * is not all there.
 */
size_t packets__put(struct packets *ps, const uint8_t *p, size_t sz, bool is_end,
		    struct strbuf *out);

#endif
