/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* The members that all rows for ClickHouse have (export/schema.c). */
#ifndef BPFPERF_SINK_ROW_HEAD_H
#define BPFPERF_SINK_ROW_HEAD_H

#include <stdint.h>

#include "util/strbuf.h"

struct row_head {
	const char *batch; /* of the message, or NULL */
	uint64_t begin_ns, end_ns; /* of the interval: CLOCK_REALTIME */
	const char *host; /* or NULL */
};

/* Puts the brace of an object and these members. */
void row_head__put(struct strbuf *to, const struct row_head *head);
/*
 * Puts ,"labels":["KEY=VALUE",…] of two lists of keys and values in turn, each ended by NULL, or
 * NULL itself. A key of the first one is omitted in the second.
 */
void row_head__put_labels(struct strbuf *to, const char *const *first, const char *const *second);

#endif
