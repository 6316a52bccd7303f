/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Interned texts: equal texts have one index, and their address never changes. */
#ifndef BPFPERF_UTIL_TEXTS_H
#define BPFPERF_UTIL_TEXTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "util/u64map.h"

/* This value is no index; it is the value of an empty slot of a u64map, too. */
#define TEXTS_NONE U64MAP_NONE

struct texts_chunk;

struct texts {
	const char **text; /* by index */
	uint32_t cnt, cap;
	struct u64map by_hash;
	struct texts_chunk *chunk; /* the newest; owns what text points to */
	size_t left; /* bytes free in it */
	size_t sz; /* bytes of all chunks */
	bool finds_only; /* a text that is not there is not added, but TEXTS_NONE */
};

/* The index of a text (copied if new, up to its first NUL). TEXTS_NONE: no memory. */
uint32_t texts__add(struct texts *t, const char *text, size_t len);
/* The index of a text that is there; TEXTS_NONE: it is not. */
uint32_t texts__find(const struct texts *t, const char *text);
/* Adds the text with control characters escaped, as texts from traced programs must be. */
uint32_t texts__add_escaped(struct texts *t, const char *text, size_t len);
/* A zeroed struct is empty. */
void texts__free(struct texts *t);

static inline const char *texts__get(const struct texts *t, uint32_t idx)
{
	return idx < t->cnt ? t->text[idx] : "";
}

#endif
