/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Reads JSON (RFC 8259) piece by piece, in the order of the text, without a
 * tree of it in memory:
 *
 *     json_read__enter(&j, '{');
 *     while (json_read__next(&j)) {
 *             json_read__key(&j, &key);
 *             … one value: json_read__str(), __u64(), __enter(), or __skip()
 *     }
 *
 * After the first mistake everything returns false and `bad` is set.
 */
#ifndef BPFPERF_UTIL_JSON_READ_H
#define BPFPERF_UTIL_JSON_READ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "util/strbuf.h"

struct json_read {
	const char *at, *end;
	bool first; /* no element of the innermost container was read yet */
	bool bad;
};

static inline struct json_read json_read__of(const char *text, size_t len)
{
	return (struct json_read){ .at = text, .end = text + len };
}

/* Enters an object or array: `opener` is '{' or '['. */
bool json_read__enter(struct json_read *j, char opener);
/*
 * True if there is one more member or element; at the end of the container, leaves it and returns
 * false.
 */
bool json_read__next(struct json_read *j);
/* Reads a member's name, replacing the contents of key. */
bool json_read__key(struct json_read *j, struct strbuf *key);
/* Reads a string, replacing the contents of sb. */
bool json_read__str(struct json_read *j, struct strbuf *sb);
/* A whole number from 0 to UINT64_MAX. */
bool json_read__u64(struct json_read *j, uint64_t *v);
/* true or false. */
bool json_read__bool(struct json_read *j, bool *v);
/* Skips any value. Containers may be nested 64 deep. */
bool json_read__skip(struct json_read *j);
/* Returns the first character of the next value; '\0' at the end. */
char json_read__peek(struct json_read *j);

#endif
