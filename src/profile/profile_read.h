/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Reads saved profiles: folded stacks of any tool, the text of perf script, bpfperf's JSON and HTML
 * page.
 */
#ifndef BPFPERF_PROFILE_PROFILE_READ_H
#define BPFPERF_PROFILE_PROFILE_READ_H

#include <stdbool.h>
#include <stddef.h>

struct profile;

/* The part of a file that is added; a saved comparison has an older profile beside its own. */
enum profile_part {
	PROFILE_PART_BOTH, /* a comparison stays one */
	PROFILE_PART_NEW, /* the older profile is skipped */
	PROFILE_PART_AS_OLD, /* the new one, as the older profile of a comparison */
};

/*
 * Adds the profile in the file ("-": stdin). The format is detected by content. 0, or -EINVAL or
 * another -errno, logged.
 */
int profile_read__file(struct profile *p, const char *path, enum profile_part part);

/*
 * Reads the whole file ("-": stdin), since a part of a profile is of no use. The caller frees it.
 * NULL and errno, logged with what is wanted in its place: ECANCELED after a signal.
 */
char *profile_read__whole(const char *path, const char *wanted, size_t *len);

/*
 * The formats: each parses a text of len bytes. 0, -ENOMEM, -E2BIG (too many events), or -EINVAL
 * with *bad_line (from 1 on; 0 for a format without lines).
 */
int profile_read__folded(struct profile *p, const char *text, size_t len, enum profile_part part,
			 size_t *bad_line);
int profile_read__script(struct profile *p, const char *text, size_t len, enum profile_part part,
			 size_t *bad_line);
int profile_read__json(struct profile *p, const char *text, size_t len, enum profile_part part,
		       size_t *bad_line);
int profile_read__page(struct profile *p, const char *text, size_t len, enum profile_part part,
		       size_t *bad_line);

#endif
