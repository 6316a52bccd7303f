/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Answers of readers about the functions of a file, kept for later command lines: to inflate and
 * search the DWARF of the C library takes 70 ms, its answers have some hundred bytes. They lie in
 * PRIVATE_DIR, which is root's, and end with the boot.
 */
#ifndef BPFPERF_PROBE_FIND_CACHE_H
#define BPFPERF_PROBE_FIND_CACHE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "util/strbuf.h"

#define FIND_CACHE_FILES 3

/* A file as it is: a later one that differs in nothing of this is the same. */
struct find_cache_state {
	uint64_t dev, ino, sz;
	int64_t mtime_ns, ctime_ns;
};

/* The key of one question. */
struct find_cache_key {
	struct {
		char magic[8];
		/* Another bpfperf may answer otherwise. */
		struct find_cache_state self, files[FIND_CACHE_FILES];
		uint64_t body_sz, answer_sz;
	} head;
	const void *body; /* not owned */
	char name[32]; /* of the file in the directory */
};

/*
 * Makes the key of a question about these files (-1: there is none). false: its answer is not to be
 * kept, since the user is not root, a file belongs to a user that is not trusted, or it was changed
 * so lately that it could change again without a trace.
 */
bool find_cache__key(struct find_cache_key *key, const int *fds, const void *body, size_t sz);
/* Replaces *answer with what was kept. Returns whether there is something. */
bool find_cache__get(struct find_cache_key *key, const char *dir, struct strbuf *answer);
/* Keeps an answer, unless it is large; an answer that cannot be kept is asked for again. */
void find_cache__put(struct find_cache_key *key, const char *dir, const struct strbuf *answer);

#endif
