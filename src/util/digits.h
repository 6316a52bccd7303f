/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Writes numbers and text to memory with known room: used for printing on hot paths. Each function
 * returns the end.
 */
#ifndef BPFPERF_UTIL_DIGITS_H
#define BPFPERF_UTIL_DIGITS_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* The most characters a number has. */
#define DIGITS_U64_MAX 20
#define DIGITS_HEX_MAX 16

extern const char digits__pairs[201]; /* "000102…99" */
extern const char digits__hex_pairs[513]; /* "000102…ff" */
extern const uint64_t digits__pow10[20]; /* 0, 10, 100, … */

/* Number of decimal digits of v. */
static inline unsigned int digits__count(uint64_t v)
{
	/* 1233 / 4096 is log10(2) from above: the guess is right or one too small. */
	unsigned int guess = (unsigned int)(64 - __builtin_clzll(v | 1)) * 1233 >> 12;

	return guess + (v >= digits__pow10[guess]);
}

/* Writes v in decimal so that it ends at `end`; returns its first character. */
static inline char *digits__before(char *end, uint64_t v)
{
	while (v >= 100) {
		end -= 2;
		memcpy(end, digits__pairs + v % 100 * 2, 2);
		v /= 100;
	}
	if (v >= 10) {
		end -= 2;
		memcpy(end, digits__pairs + v * 2, 2);
	} else {
		*--end = (char)('0' + v);
	}
	return end;
}

static inline char *digits__u64(char *p, uint64_t v)
{
	if (v < 10) {
		*p = (char)('0' + v);
		return p + 1;
	}
	p += digits__count(v);
	digits__before(p, v);
	return p;
}

static inline char *digits__s64(char *p, int64_t v)
{
	if (v >= 0)
		return digits__u64(p, (uint64_t)v);
	*p = '-';
	return digits__u64(p + 1, 0 - (uint64_t)v);
}

/* Nine digits with leading zeros: the nanoseconds of a second. */
static inline char *digits__ns(char *p, uint32_t ns)
{
	uint32_t high = ns / 10000, low = ns % 10000;

	memcpy(p + 7, digits__pairs + low % 100 * 2, 2);
	memcpy(p + 5, digits__pairs + low / 100 * 2, 2);
	memcpy(p + 3, digits__pairs + high % 100 * 2, 2);
	high /= 100;
	memcpy(p + 1, digits__pairs + high % 100 * 2, 2);
	*p = (char)('0' + high / 100);
	return p + 9;
}

/* Lower-case hexadecimal. */
static inline char *digits__hex(char *p, uint64_t v)
{
	char *end = p + (67 - __builtin_clzll(v | 1)) / 4, *at = end;

	while (at - p >= 2) {
		at -= 2;
		memcpy(at, digits__hex_pairs + (v & 255) * 2, 2);
		v >>= 8;
	}
	if (at > p)
		*p = digits__hex_pairs[(v & 15) * 2 + 1];
	return end;
}

/*
 * Copies len bytes in steps of 16: both sides must have up to 15 more bytes. A call of memcpy()
 * costs more than the average text copied here.
 */
static inline char *digits__copy16(char *p, const char *text, size_t len)
{
	size_t i = 0;

	do {
		memcpy(p + i, text + i, 16);
		i += 16;
	} while (i < len);
	return p + len;
}

#endif
