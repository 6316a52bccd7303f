// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "util/strbuf.h"

#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "util/digits.h"

static bool has_failed;

bool strbuf__has_failed(void)
{
	return __atomic_load_n(&has_failed, __ATOMIC_RELAXED);
}

int strbuf__grow(struct strbuf *sb, size_t more)
{
	size_t cap = sb->cap ? 2 * sb->cap : 256;
	char *buf;

	/* Whatever needs more at once knows how much it needs. */
	if (cap - sb->len < more)
		cap = sb->len + more;
	/* No object is larger than PTRDIFF_MAX, and the sum may have overflowed. */
	buf = more > PTRDIFF_MAX - sb->len ? NULL : realloc(sb->buf, cap);
	if (!buf) {
		__atomic_store_n(&has_failed, true, __ATOMIC_RELAXED);
		return -ENOMEM;
	}
	sb->buf = buf;
	sb->cap = cap;
	return 0;
}

void strbuf__free(struct strbuf *sb)
{
	free(sb->buf);
	*sb = (struct strbuf)STRBUF_INIT;
}

const char *strbuf__cstr(struct strbuf *sb)
{
	if (strbuf__reserve(sb, 1))
		return "";
	sb->buf[sb->len] = '\0';
	return sb->buf;
}

void strbuf__pad(struct strbuf *sb, size_t start, size_t width)
{
	size_t len = sb->len - start;

	if (len >= width || strbuf__reserve(sb, width - len))
		return;
	memset(sb->buf + sb->len, ' ', width - len);
	sb->len = start + width;
}

int strbuf__printf(struct strbuf *sb, const char *fmt, ...)
{
	va_list ap;
	int n;

	if (strbuf__reserve(sb, 128))
		return -ENOMEM;
	va_start(ap, fmt);
	n = vsnprintf(sb->buf + sb->len, sb->cap - sb->len, fmt, ap);
	va_end(ap);
	if (n < 0)
		return -EINVAL;
	if ((size_t)n >= sb->cap - sb->len) {
		if (strbuf__grow(sb, (size_t)n + 1))
			return -ENOMEM;
		va_start(ap, fmt);
		vsnprintf(sb->buf + sb->len, sb->cap - sb->len, fmt, ap);
		va_end(ap);
	}
	sb->len += (size_t)n;
	return 0;
}

void strbuf__put_u64(struct strbuf *sb, uint64_t v)
{
	if (strbuf__reserve(sb, DIGITS_U64_MAX))
		return;
	sb->len = (size_t)(digits__u64(sb->buf + sb->len, v) - sb->buf);
}

void strbuf__put_s64(struct strbuf *sb, int64_t v)
{
	if (strbuf__reserve(sb, DIGITS_U64_MAX + 1))
		return;
	sb->len = (size_t)(digits__s64(sb->buf + sb->len, v) - sb->buf);
}

void strbuf__put_hex(struct strbuf *sb, uint64_t v)
{
	if (strbuf__reserve(sb, DIGITS_HEX_MAX))
		return;
	sb->len = (size_t)(digits__hex(sb->buf + sb->len, v) - sb->buf);
}

static void put_right(struct strbuf *sb, const char *text, size_t len, unsigned int width, char pad)
{
	if (strbuf__reserve(sb, len + width))
		return;
	for (; width > len; width--)
		sb->buf[sb->len++] = pad;
	strbuf__add(sb, text, len);
}

void strbuf__put_u64_pad(struct strbuf *sb, uint64_t v, unsigned int width, char pad)
{
	char tmp[20], *end = tmp + sizeof(tmp), *p = digits__before(end, v);

	put_right(sb, p, (size_t)(end - p), width, pad);
}

void strbuf__put_hex_pad(struct strbuf *sb, uint64_t v, unsigned int width, char pad)
{
	char tmp[DIGITS_HEX_MAX];

	put_right(sb, tmp, (size_t)(digits__hex(tmp, v) - tmp), width, pad);
}

/* Writes the escape of a control character at p; returns its end. */
static char *escape(char *p, unsigned char c)
{
	*p++ = '\\';
	if (c == '\n') {
		*p++ = 'n';
	} else if (c == '\t') {
		*p++ = 't';
	} else {
		*p++ = 'x';
		*p++ = "0123456789abcdef"[c >> 4];
		*p++ = "0123456789abcdef"[c & 15];
	}
	return p;
}

/*
 * Length of the control character at s: one byte for C0 and DEL, two for C1 (U+0080 to U+009F;
 * terminals take U+009B for the start of a sequence), 0 if s is not a control character.
 */
static inline size_t control_len(const char *s, size_t left)
{
	unsigned char c = (unsigned char)*s;

	if (c < 0x20 || c == 0x7f)
		return 1;
	return c == 0xc2 && left > 1 && ((unsigned char)s[1] & 0xe0) == 0x80 ? 2 : 0;
}

/* Length of the valid UTF-8 sequence at s (RFC 3629 table 3-7), 0 if there is none. */
static size_t utf8_len(const unsigned char *s, size_t left)
{
	size_t n, i;

	if (s[0] < 0x80)
		return 1;
	if (s[0] >= 0xc2 && s[0] <= 0xdf)
		n = 2;
	else if (s[0] >= 0xe0 && s[0] <= 0xef)
		n = 3;
	else if (s[0] >= 0xf0 && s[0] <= 0xf4)
		n = 4;
	else
		return 0;
	if (n > left)
		return 0;
	for (i = 1; i < n; i++)
		if ((s[i] & 0xc0) != 0x80)
			return 0;
	/* Overlong forms, surrogates, and what lies beyond U+10FFFF. */
	if ((s[0] == 0xe0 && s[1] < 0xa0) || (s[0] == 0xed && s[1] > 0x9f) ||
	    (s[0] == 0xf0 && s[1] < 0x90) || (s[0] == 0xf4 && s[1] > 0x8f))
		return 0;
	return n;
}

/*
 * Length of the character at s. A terminal of 8-bit characters takes a byte from 0x80 to 0x9f for a
 * control character of C1; within a sequence of UTF-8 it is none.
 */
static inline size_t char_len(const char *s, size_t left, bool *is_control)
{
	unsigned char c = (unsigned char)*s;
	size_t n = control_len(s, left);

	*is_control = n != 0;
	if (n || c < 0x80)
		return n ? n : 1;
	n = utf8_len((const unsigned char *)s, left);
	*is_control = !n && c <= 0x9f;
	return n ? n : 1;
}

#define EACH_BYTE(c) (UINT64_C(0x0101010101010101) * (c))

/* Are these eight bytes printable ASCII? They are neither below 0x20, nor 0x7f, nor above it. */
static inline bool is_printable8(uint64_t x)
{
	uint64_t below = x - EACH_BYTE(0x20), del = (x ^ EACH_BYTE(0x7f)) - EACH_BYTE(1);

	return !((below | del | x) & EACH_BYTE(0x80));
}

/*
 * Writes len bytes of s, or those before a NUL, at p; returns the end. At worst a byte becomes
 * \xNN. Most names are printable ASCII, which is copied eight bytes at a time.
 */
static inline char *put_escaped(char *p, const char *s, size_t len, bool to_nul)
{
	bool is_control;
	size_t i = 0, end;
	uint64_t x;

	while (i < len && !(to_nul && !s[i])) {
		for (; i + sizeof(x) <= len; i += sizeof(x), p += sizeof(x)) {
			memcpy(&x, s + i, sizeof(x));
			if (!is_printable8(x))
				break;
			memcpy(p, &x, sizeof(x));
		}
		if (i == len || (to_nul && !s[i]))
			break;
		end = i + char_len(s + i, len - i, &is_control);
		for (; i < end; i++) {
			if (is_control)
				p = escape(p, (unsigned char)s[i]);
			else
				*p++ = s[i];
		}
	}
	return p;
}

bool strbuf__has_control(const char *s, size_t len)
{
	bool is_control = false;
	size_t i;

	for (i = 0; i < len && !is_control;)
		i += char_len(s + i, len - i, &is_control);
	return is_control;
}

void strbuf__put_escaped(struct strbuf *sb, const char *s, size_t len)
{
	if (len && !strbuf__reserve(sb, 4 * len))
		sb->len = (size_t)(put_escaped(sb->buf + sb->len, s, len, false) - sb->buf);
}

void strbuf__put_escaped_cstr(struct strbuf *sb, const char *s, size_t max)
{
	/* One pass where the worst case is small; a long array mostly holds a short string. */
	if (max > 64)
		strbuf__put_escaped(sb, s, strnlen(s, max));
	else if (!strbuf__reserve(sb, 4 * max))
		sb->len = (size_t)(put_escaped(sb->buf + sb->len, s, max, true) - sb->buf);
}

/* U+FFFD replaces invalid bytes. */
#define UTF8_REPLACEMENT "\xef\xbf\xbd"

void strbuf__put_utf8(struct strbuf *sb, const char *str, size_t len)
{
	size_t i, n;

	for (i = 0; i < len; i += n) {
		n = utf8_len((const unsigned char *)str + i, len - i);
		if (n)
			strbuf__add(sb, str + i, n);
		else
			strbuf__puts(sb, UTF8_REPLACEMENT);
		n += !n;
	}
}

/*
 * JSON strings and CSV cells copy printable ASCII unchanged, except for the quote and the
 * backslash.
 */
static bool is_plain(unsigned char c)
{
	return c >= 0x20 && c < 0x7f && c != '"' && c != '\\';
}

/* Length of the plain prefix of the text. */
static size_t plain_len(const unsigned char *s, size_t len)
{
	size_t i = 0;

	while (i < len && is_plain(s[i]))
		i++;
	return i;
}

void strbuf__put_json(struct strbuf *sb, const char *str, size_t len)
{
	const unsigned char *s = (const unsigned char *)str;
	size_t i, n;

	/* The worst: each byte becomes \uNNNN. */
	if (strbuf__reserve(sb, 6 * len + 2))
		return;
	sb->buf[sb->len++] = '"';
	i = plain_len(s, len);
	strbuf__add(sb, s, i);
	while (i < len) {
		unsigned char c = s[i];

		if (c == '"' || c == '\\') {
			strbuf__putc(sb, '\\');
			strbuf__putc(sb, (char)c);
			i++;
		} else if ((n = control_len(str + i, len - i)) != 0) {
			/* The second byte of a two-byte control character is its number. */
			i += n;
			c = s[i - 1];
			strbuf__puts(sb, "\\u00");
			strbuf__putc(sb, (char)('0' + (c >> 4)));
			strbuf__putc(sb, "0123456789abcdef"[c & 15]);
		} else if ((n = utf8_len(s + i, len - i)) != 0) {
			strbuf__add(sb, s + i, n);
			i += n;
		} else {
			strbuf__puts(sb, "\\ufffd");
			i++;
		}
	}
	sb->buf[sb->len++] = '"';
}

/*
 * Would a spreadsheet take the cell for a formula and compute it? A name such as -bash is none: a
 * formula that does something needs a call or a reference.
 */
static bool is_formula(const char *s, size_t len)
{
	size_t i;

	if (!len || !memchr("=+-@", *s, 4))
		return false;
	if (*s == '=' || *s == '@')
		return true;
	for (i = 1; i < len; i++)
		if (memchr("(!|", s[i], 3))
			return true;
	return false;
}

void strbuf__put_csv(struct strbuf *sb, const char *str, size_t len)
{
	const unsigned char *s = (const unsigned char *)str;
	size_t i, n;
	bool quote = len && (memchr(str, ',', len) || memchr(str, '"', len));

	/* The worst: a control character becomes \xNN. */
	if (strbuf__reserve(sb, 4 * len + 3))
		return;
	if (quote)
		sb->buf[sb->len++] = '"';
	if (is_formula(str, len))
		sb->buf[sb->len++] = '\'';
	i = plain_len(s, len);
	strbuf__add(sb, s, i);
	while (i < len) {
		unsigned char c = s[i];

		n = control_len(str + i, len - i);
		if (n) {
			sb->len = (size_t)(put_escaped(sb->buf + sb->len, str + i, n, false) -
					   sb->buf);
			i += n;
		} else if ((n = utf8_len(s + i, len - i)) != 0) {
			if (c == '"')
				sb->buf[sb->len++] = '"';
			strbuf__add(sb, s + i, n);
			i += n;
		} else {
			strbuf__puts(sb, UTF8_REPLACEMENT);
			i++;
		}
	}
	if (quote)
		sb->buf[sb->len++] = '"';
}

void strbuf__put_script_json(struct strbuf *sb, const char *json, size_t len)
{
	const char *at = json, *end = json + len, *lt;

	while (at < end && (lt = memchr(at, '<', (size_t)(end - at)))) {
		strbuf__add(sb, at, (size_t)(lt - at));
		strbuf__puts(sb, "\\u003c");
		at = lt + 1;
	}
	strbuf__add(sb, at, (size_t)(end - at));
}
