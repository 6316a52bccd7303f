/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Reads values one after the other from the bytes of an untrusted file. Bytes outside of the range
 * are never read: a missing value is 0 (or NULL), and `bad` is set and stays set. Values may have
 * any alignment and either byte order.
 */
#ifndef BPFPERF_DATA_BYTES_H
#define BPFPERF_DATA_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct bytes {
	const uint8_t *p, *end; /* remaining bytes */
	bool swap; /* the values have the other byte order */
	bool bad; /* a read went past the end */
};

static inline struct bytes bytes__of(const void *data, size_t sz, bool swap)
{
	return (struct bytes){ data, (const uint8_t *)data + sz, swap, false };
}

static inline size_t bytes__left(const struct bytes *b)
{
	return (size_t)(b->end - b->p);
}

/* Takes the next sz bytes; NULL if there are fewer. */
static inline const void *bytes__take(struct bytes *b, uint64_t sz)
{
	const void *at = b->p;

	if (sz > bytes__left(b)) {
		b->bad = true;
		b->p = b->end;
		return NULL;
	}
	b->p += sz;
	return at;
}

/* Copies the next sz bytes to the destination, which stays unchanged if there are fewer. */
static inline void bytes__copy(struct bytes *b, void *to, size_t sz)
{
	const void *at = bytes__take(b, sz);

	if (at)
		memcpy(to, at, sz);
}

static inline uint64_t bytes__u64(struct bytes *b)
{
	uint64_t v = 0;

	bytes__copy(b, &v, sizeof(v));
	return b->swap ? __builtin_bswap64(v) : v;
}

static inline uint32_t bytes__u32(struct bytes *b)
{
	uint32_t v = 0;

	bytes__copy(b, &v, sizeof(v));
	return b->swap ? __builtin_bswap32(v) : v;
}

static inline uint16_t bytes__u16(struct bytes *b)
{
	uint16_t v = 0;

	bytes__copy(b, &v, sizeof(v));
	return b->swap ? __builtin_bswap16(v) : v;
}

static inline uint8_t bytes__u8(struct bytes *b)
{
	const uint8_t *at = bytes__take(b, 1);

	return at ? *at : 0;
}

/* Takes the text up to and including its NUL; NULL if there is no NUL. */
static inline const char *bytes__text(struct bytes *b)
{
	const void *nul = bytes__left(b) ? memchr(b->p, '\0', bytes__left(b)) : NULL;
	const char *at = (const char *)b->p;

	if (!nul) {
		b->bad = true;
		b->p = b->end;
		return NULL;
	}
	b->p = (const uint8_t *)nul + 1;
	return at;
}

#endif
