/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Reads saved profiles: folded stacks of any tool, bpfperf's JSON, bpfperf's HTML page. */
#ifndef BPFPERF_PROFILE_PROFILE_READ_H
#define BPFPERF_PROFILE_PROFILE_READ_H

#include <stdbool.h>
#include <stddef.h>

struct profile;

/*
 * Adds the profile in the file ("-": stdin), as older events if `old`. The format is detected by
 * content. 0, or -EINVAL or another -errno, logged.
 */
int profile_read__file(struct profile *p, const char *path, bool old);

/*
 * The formats: each parses a text of len bytes. 0, -ENOMEM, -E2BIG (too many events), or -EINVAL
 * with *bad_line (from 1 on; 0 for a format without lines).
 */
int profile_read__folded(struct profile *p, const char *text, size_t len, bool old,
			 size_t *bad_line);
int profile_read__json(struct profile *p, const char *text, size_t len, bool old, size_t *bad_line);
int profile_read__page(struct profile *p, const char *text, size_t len, bool old, size_t *bad_line);

#endif
