/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Matches the starts and ends of a recording, as bpf/span.bpf.h does live ones. The caller has
 * stored the keys and rows in a struct wire_span.
 */
#ifndef BPFPERF_SPAN_MATCH_H
#define BPFPERF_SPAN_MATCH_H

#include <stddef.h>
#include <stdint.h>

#include <linux/types.h>

#include "bpf/wire.h"
#include "bpf/span_wire.h"
#include "util/u64map.h"

struct span_waiting;

struct span_match {
	struct u64map by_key;
	struct span_waiting *at; /* a start for each key that there was */
	size_t cnt, cap;
	struct span_account accounts[WIRE_SPAN_PAIRS];
};

void span_match__free(struct span_match *m);
/* A start. words: of the key, with the pair. 0 or -ENOMEM. */
int span_match__begin(struct span_match *m, const struct wire_span *span, unsigned int words,
		      uint64_t time_ns);
/*
 * An end. 1: it has a start; *ns is the time since, and the start's fields are added to span->row.
 * 0: it has none.
 */
int span_match__end(struct span_match *m, struct wire_span *span, unsigned int words,
		    uint64_t time_ns, uint64_t *ns);
/* After the last one: counts the starts that still wait. */
void span_match__finish(struct span_match *m);

#endif
