/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * A growing byte buffer that is reused: the hot paths reserve once and then
 * store without checks. Always NUL-terminated after strbuf__cstr().
 */
#ifndef BPFPERF_UTIL_STRBUF_H
#define BPFPERF_UTIL_STRBUF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct strbuf {
	char *buf; /* owned, NULL while empty */
	size_t len; /* bytes used */
	size_t cap; /* bytes allocated */
};

#define STRBUF_INIT                                                                                \
	{                                                                                          \
		NULL, 0, 0                                                                         \
	}

/*
 * Has any buffer of this process failed to grow? Text is missing then, and whoever ends the process
 * says so: functions that add text do not report it one by one. For other allocations see
 * util/lack.h.
 */
bool strbuf__has_failed(void);
/* Makes room for at least `more` bytes behind len. 0 or -ENOMEM (buffer unchanged). */
int strbuf__grow(struct strbuf *sb, size_t more);
void strbuf__free(struct strbuf *sb);
/* The text with a NUL after it; "" on allocation failure. Owned by sb. */
const char *strbuf__cstr(struct strbuf *sb);
/* printf onto the end. 0 or -ENOMEM. */
int strbuf__printf(struct strbuf *sb, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

static inline void strbuf__reset(struct strbuf *sb)
{
	sb->len = 0;
}

static inline int strbuf__reserve(struct strbuf *sb, size_t more)
{
	return sb->cap - sb->len >= more ? 0 : strbuf__grow(sb, more);
}

static inline void strbuf__add(struct strbuf *sb, const void *data, size_t len)
{
	if (strbuf__reserve(sb, len))
		return;
	if (len)
		memcpy(sb->buf + sb->len, data, len);
	sb->len += len;
}

static inline void strbuf__puts(struct strbuf *sb, const char *s)
{
	strbuf__add(sb, s, strlen(s));
}

static inline void strbuf__putc(struct strbuf *sb, char c)
{
	if (strbuf__reserve(sb, 1))
		return;
	sb->buf[sb->len++] = c;
}

/* Decimal and lower-case hexadecimal, without printf; about 5 ns. */
/* Appends spaces until width bytes, or more, follow the first `start` ones. */
void strbuf__pad(struct strbuf *sb, size_t start, size_t width);
void strbuf__put_u64(struct strbuf *sb, uint64_t v);
void strbuf__put_s64(struct strbuf *sb, int64_t v);
void strbuf__put_hex(struct strbuf *sb, uint64_t v);
/* Decimal and lower-case hexadecimal, right-aligned to `width` with `pad` (' ' or '0'). */
void strbuf__put_u64_pad(struct strbuf *sb, uint64_t v, unsigned int width, char pad);
void strbuf__put_hex_pad(struct strbuf *sb, uint64_t v, unsigned int width, char pad);

/* True if the text contains control characters, including C1 (U+0080 to U+009F). */
bool strbuf__has_control(const char *s, size_t len);
/*
 * Text that came from a traced program: control characters as \n, \t, \xNN, and as \xNN each byte
 * from 0x80 to 0x9f that is no UTF-8.
 */
void strbuf__put_escaped(struct strbuf *sb, const char *s, size_t len);
/* Escapes the text in an array of max bytes, up to its first NUL. */
void strbuf__put_escaped_cstr(struct strbuf *sb, const char *s, size_t max);
/* Appends the text unchanged, except that each invalid byte of UTF-8 becomes U+FFFD. */
void strbuf__put_utf8(struct strbuf *sb, const char *s, size_t len);
/*
 * Appends JSON for a script element of an HTML page, which no name in it must end: '<' is escaped,
 * and occurs in strings only.
 */
void strbuf__put_script_json(struct strbuf *sb, const char *json, size_t len);
/* A JSON string with its quotes; a control character is \u00NN, a byte of invalid UTF-8 U+FFFD. */
void strbuf__put_json(struct strbuf *sb, const char *s, size_t len);
/*
 * Appends a cell of CSV: quoted if RFC 4180 requires it. Control characters are escaped as in
 * strbuf__put_escaped(), so that a row is a line; invalid bytes of UTF-8 become U+FFFD.
 */
void strbuf__put_csv(struct strbuf *sb, const char *s, size_t len);

#endif
