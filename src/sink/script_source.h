/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* The text of source lines below samples and instructions, as of `perf script -F srccode`. */
#ifndef BPFPERF_SINK_SCRIPT_SOURCE_H
#define BPFPERF_SINK_SCRIPT_SOURCE_H

#include <stddef.h>
#include <stdint.h>

#include "util/strbuf.h"
#include "util/u64map.h"

struct named_place;

/* Reads source files: the command's part, since a sink opens none. */
struct script_texts {
	/*
	 * Returns a line (1 is the first) of the file at path, without its newline, and its length;
	 * valid until the next call. NULL: it cannot be read.
	 */
	const char *(*line)(struct script_texts *texts, const char *path, uint32_t line,
			    size_t *len);
};

/* Zeroed: nothing was printed. */
struct script_source {
	struct script_texts *texts; /* not owned; NULL: no text is known */
	struct u64map idx_of; /* thread → index of its last line */
	uint64_t *last; /* hashes of path and line */
	uint32_t cnt;
	size_t cap;
};

/*
 * Puts the line of a place, which may be NULL, and a newline; nothing if it is unknown, or was the
 * last one of the thread. 0 or -ENOMEM.
 */
int script_source__put(struct script_source *src, struct strbuf *out, int32_t tid,
		       const struct named_place *place);
void script_source__free(struct script_source *src);

#endif
