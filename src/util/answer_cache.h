/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Answers that cost much, kept for later command lines: to inflate and search the DWARF of the C
 * library takes 70 ms, its answers have some hundred bytes. They lie in PRIVATE_DIR, which is
 * root's, and end with the boot.
 */
#ifndef BPFPERF_UTIL_ANSWER_CACHE_H
#define BPFPERF_UTIL_ANSWER_CACHE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "util/strbuf.h"

#define ANSWER_CACHE_FILES 3

/* A file as it is: a later one that differs in nothing of this is the same. */
struct answer_cache_state {
	uint64_t dev, ino, sz;
	int64_t mtime_ns, ctime_ns;
};

/* The key of one question. */
struct answer_cache_key {
	struct {
		char magic[8];
		/* Another bpfperf may answer otherwise. */
		struct answer_cache_state self, files[ANSWER_CACHE_FILES];
		uint64_t body_sz, answer_sz;
	} head;
	const void *body; /* not owned */
	char name[32]; /* of the file in the directory */
};

/*
 * Makes the key of a question about these files (-1: there is none). false: its answer is not to be
 * kept, since the user is not root, an owner of a file is not trusted, or the file was changed so
 * lately that it could change again without a trace.
 */
bool answer_cache__key(struct answer_cache_key *key, const int *fds,
		       bool (*is_trusted)(uid_t owner), const void *body, size_t sz);
/* Replaces *answer with what was kept. Returns whether there is something. */
bool answer_cache__get(struct answer_cache_key *key, const char *dir, struct strbuf *answer);
/* Keeps an answer, unless it is large; an answer that cannot be kept is asked for again. */
void answer_cache__put(struct answer_cache_key *key, const char *dir, const struct strbuf *answer);

#endif
