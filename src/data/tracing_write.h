/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Writes the tracing data of a recording, as in the files of trace-cmd and perf: tracefs formats
 * and texts.
 */
#ifndef BPFPERF_DATA_TRACING_WRITE_H
#define BPFPERF_DATA_TRACING_WRITE_H

#include <stddef.h>
#include <stdint.h>

#include "event/tp_format.h"
#include "util/strbuf.h"

struct tracing_event {
	const char *name; /* "SYS:NAME", or another name of the event */
	uint64_t id;
	const struct tp_format *fmt; /* a made-up format; NULL: tracefs has it */
};

/*
 * Appends the section with the formats of these events, found by name or, if the name is not that
 * of the tracepoint, by id. A tracepoint missing in tracefs is omitted: its raw data cannot be
 * decoded. 0, -ENODEV or -EACCES (no tracefs) after a sentence, -ENOMEM.
 */
int tracing_write__put(struct strbuf *sb, const struct tracing_event *events, size_t cnt);

#endif
