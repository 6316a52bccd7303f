/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Profiles that were saved before: folded stacks of anybody, our JSON, our HTML page. */
#ifndef BPFPERF_PROFILE_PROFILE_READ_H
#define BPFPERF_PROFILE_PROFILE_READ_H

#include <stdbool.h>
#include <stddef.h>

struct profile;

/*
 * Adds what the file holds ("-": stdin) to the profile, as that of older events where `old`. What
 * format it is, its content says. 0, or -EINVAL or another -errno after one sentence.
 */
int profile_read__file(struct profile *p, const char *path, bool old);

/*
 * The formats: a text of len bytes. 0, -ENOMEM, -E2BIG (too many events), or -EINVAL with
 * *bad_line (from 1 on; 0 where lines mean nothing).
 */
int profile_read__folded(struct profile *p, const char *text, size_t len, bool old,
			 size_t *bad_line);
int profile_read__json(struct profile *p, const char *text, size_t len, bool old, size_t *bad_line);
int profile_read__page(struct profile *p, const char *text, size_t len, bool old, size_t *bad_line);

#endif
