/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* A hash of bytes, for tables in memory and on this machine: eight bytes a step, no defence. */
#ifndef BPFPERF_UTIL_HASH_H
#define BPFPERF_UTIL_HASH_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define HASH_INIT 0xcbf29ce484222325ull

static inline uint64_t hash__word(uint64_t h, uint64_t word)
{
	h = (h ^ word) * 0xff51afd7ed558ccdull;
	return h ^ h >> 32;
}

/* Continues h, HASH_INIT at first, with len bytes; two parts hash otherwise than their whole. */
static inline uint64_t hash__bytes(uint64_t h, const void *data, size_t len)
{
	const uint8_t *p = data;
	uint64_t word = len;

	for (; len >= sizeof(word); p += sizeof(word), len -= sizeof(word)) {
		h = hash__word(h, word);
		memcpy(&word, p, sizeof(word));
	}
	h = hash__word(h, word);
	word = 0;
	if (len)
		memcpy(&word, p, len);
	return hash__word(h, word);
}

#endif
