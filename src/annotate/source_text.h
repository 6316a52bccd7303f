/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Lines of source files; debug information names their paths. */
#ifndef BPFPERF_ANNOTATE_SOURCE_TEXT_H
#define BPFPERF_ANNOTATE_SOURCE_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sym/named.h"

#define SOURCE_FILES_MAX 512
/* A longer file is generated code, or no source. */
#define SOURCE_MAX_SZ (16u << 20)
/* A limit of all files together; further ones are as if they could not be read. */
#define SOURCES_MAX_SZ (128u << 20)

struct source_file {
	char *path;
	char *text; /* NULL: it cannot be read */
	size_t sz;
	uint32_t *lines; /* offsets of its lines */
	size_t line_cnt;
};

struct source_texts {
	const char *dir; /* sources are looked for below this directory first; NULL: none */
	struct source_file files[SOURCE_FILES_MAX];
	size_t cnt, sz;
	size_t last; /* index of the file that was asked for last */
};

/*
 * Returns a line (1 is the first) of the file at path, without its newline, and its length; valid
 * as long as `t`. NULL: unknown. A path is a stranger's word: only a file that each user may read,
 * or that is bpfperf's user's own where that is not root, is read.
 */
const char *source_texts__line(struct source_texts *t, const char *path, uint32_t line,
			       size_t *len);
/* Would a further file be as if it could not be read? */
bool source_texts__is_full(const struct source_texts *t);
/* Leaves `t` empty. */
void source_texts__free(struct source_texts *t);

#endif
