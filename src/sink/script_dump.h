/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* script --dump: every record of a recording, in the order of the file, field by field. */
#ifndef BPFPERF_SINK_SCRIPT_DUMP_H
#define BPFPERF_SINK_SCRIPT_DUMP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct out;
struct strbuf;
struct recording;

/*
 * Prints the bytes of a processor's trace (itrace/packets.h): it may leave a rest for the next
 * call.
 */
struct script_dump_trace {
	/* Returns the number of bytes that it has taken. at: bytes of the record before these. */
	size_t (*put)(void *ctx, const uint8_t *p, size_t sz, uint64_t at, bool is_end,
		      struct strbuf *out);
	void *ctx;
};

/* 0, or -errno, logged (a failed write is logged by `out`). */
int script_dump(struct recording *rec, struct out *out, const struct script_dump_trace *trace);

#endif
