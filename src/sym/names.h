/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Texts kept once each: the same text is the same pointer, which stays where it is. */
#ifndef BPFPERF_SYM_NAMES_H
#define BPFPERF_SYM_NAMES_H

#include <stddef.h>
#include <stdint.h>

#include "util/u64map.h"

struct names {
	char **blocks; /* of NAMES_BLOCK_SZ bytes, or of one longer text */
	size_t block_cnt, block_cap;
	size_t left; /* bytes free at the end of the last block */
	const char **texts;
	uint32_t cnt;
	size_t cap;
	struct u64map by_hash; /* of a text → its index in texts */
};

#define NAMES_BLOCK_SZ 65536

/* Zeroed is empty. */
void names__free(struct names *names);
/* The index of a text of len bytes without a NUL, copied where it is new. U64MAP_NONE: no memory. */
uint32_t names__intern(struct names *names, const char *text, size_t len);
/* The kept copy, NUL-terminated, valid as long as `names`. */
static inline const char *names__text(const struct names *names, uint32_t idx)
{
	return names->texts[idx];
}

#endif
