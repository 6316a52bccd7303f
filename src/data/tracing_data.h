/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * The tracing data of a recording: the tracefs formats of its tracepoints, and the kernel's
 * constant strings.
 */
#ifndef BPFPERF_DATA_TRACING_DATA_H
#define BPFPERF_DATA_TRACING_DATA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "event/tp_format.h"
#include "util/u64map.h"

struct tracing_data {
	struct tp_format **fmts; /* owned; by index */
	size_t cnt, cap;
	struct u64map by_id; /* tracepoint id → index */
	char *printk_formats; /* owned text; NULL: none */
	bool swap; /* the raw records have the other byte order */
};

/*
 * Adds the contents of the section. 0, -EBADMSG if it is damaged (the part before the damage is
 * kept), -ENOMEM. A format that cannot be parsed is ignored.
 */
int tracing_data__parse(struct tracing_data *td, const void *data, size_t sz);
/* Finds a format by tracepoint id; NULL if the recording has none. */
struct tp_format *tracing_data__find(const struct tracing_data *td, uint64_t id);
void tracing_data__free(struct tracing_data *td);

#endif
