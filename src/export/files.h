/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* A file for each interval, named by its time (%t) or its number (%n). */
#ifndef BPFPERF_EXPORT_FILES_H
#define BPFPERF_EXPORT_FILES_H

#include <stdbool.h>
#include <stdint.h>

#include "util/strbuf.h"

struct interval;
struct out;

struct files {
	const char *pattern; /* not owned */
	bool has_ms; /* intervals are shorter than a second, and so are their names' times */
	struct strbuf path; /* of the latest file */
	uint64_t cnt;
};

/* Whether each file has a name of its own: 0, or -EINVAL, logged. */
int files__check(const char *pattern);
void files__free(struct files *f);
/* For struct intervals_config: ctx is a struct files. */
int files__begin_interval(void *ctx, struct interval *iv, struct out *out);
int files__end_interval(void *ctx, const struct interval *iv, int err);

#endif
