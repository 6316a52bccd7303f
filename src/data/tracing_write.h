/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * The tracing data of a recording, as trace-cmd's and perf's files have it: tracefs formats and
 * texts.
 */
#ifndef BPFPERF_DATA_TRACING_WRITE_H
#define BPFPERF_DATA_TRACING_WRITE_H

#include <stddef.h>
#include <stdint.h>

#include "util/strbuf.h"

struct tracing_event {
	const char *name; /* "SYS:NAME", or what else it is called */
	uint64_t id;
};

/*
 * Appends the section with the formats of these events, told by name or, where the name is not
 * theirs, by id. One that tracefs does not have is left out: its raw data stays unread. 0,
 * -ENODEV or -EACCES (no tracefs) after a sentence, -ENOMEM.
 */
int tracing_write__put(struct strbuf *sb, const struct tracing_event *events, size_t cnt);

#endif
