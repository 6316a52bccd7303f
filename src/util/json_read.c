// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "util/json_read.h"

#define MAX_DEPTH 64

static bool fail(struct json_read *j)
{
	j->bad = true;
	j->at = j->end;
	return false;
}

char json_read__peek(struct json_read *j)
{
	while (j->at < j->end &&
	       (*j->at == ' ' || *j->at == '\t' || *j->at == '\n' || *j->at == '\r'))
		j->at++;
	return j->at < j->end ? *j->at : '\0';
}

bool json_read__enter(struct json_read *j, char opener)
{
	if (json_read__peek(j) != opener)
		return fail(j);
	j->at++;
	j->first = true;
	return true;
}

bool json_read__next(struct json_read *j)
{
	char c = json_read__peek(j);

	if (c == '}' || c == ']') {
		j->at++;
		/*
		 * The reader is back in the outer container, which has at least this one element.
		 */
		j->first = false;
		return false;
	}
	if (!j->first) {
		if (c != ',')
			return fail(j);
		j->at++;
		c = json_read__peek(j);
	}
	j->first = false;
	return c && c != ',' && c != '}' && c != ']' ? true : fail(j);
}

bool json_read__key(struct json_read *j, struct strbuf *key)
{
	if (!json_read__str(j, key) || json_read__peek(j) != ':')
		return fail(j);
	j->at++;
	return true;
}

static int hex_of(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	c |= 0x20;
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* The four digits behind \u: 0..0xffff, or -1. */
static int32_t unit_of(struct json_read *j)
{
	int32_t v = 0;
	int i, h;

	if (j->end - j->at < 4)
		return -1;
	for (i = 0; i < 4; i++) {
		h = hex_of(*j->at++);
		if (h < 0)
			return -1;
		v = v << 4 | h;
	}
	return v;
}

static void put_utf8(struct strbuf *sb, uint32_t c)
{
	if (c < 0x80) {
		strbuf__putc(sb, (char)c);
		return;
	}
	if (c < 0x800) {
		strbuf__putc(sb, (char)(0xc0 | c >> 6));
	} else {
		if (c < 0x10000) {
			strbuf__putc(sb, (char)(0xe0 | c >> 12));
		} else {
			strbuf__putc(sb, (char)(0xf0 | c >> 18));
			strbuf__putc(sb, (char)(0x80 | (c >> 12 & 0x3f)));
		}
		strbuf__putc(sb, (char)(0x80 | (c >> 6 & 0x3f)));
	}
	strbuf__putc(sb, (char)(0x80 | (c & 0x3f)));
}

/* Behind "\u": a character of the basic plane, or the first half of a pair. */
static bool put_unit(struct json_read *j, struct strbuf *sb)
{
	int32_t hi = unit_of(j), lo;

	if (hi < 0)
		return false;
	if (hi >= 0xd800 && hi < 0xdc00) {
		if (j->end - j->at < 6 || j->at[0] != '\\' || j->at[1] != 'u')
			return false;
		j->at += 2;
		lo = unit_of(j);
		if (lo < 0xdc00 || lo >= 0xe000)
			return false;
		put_utf8(sb, 0x10000 + ((uint32_t)(hi - 0xd800) << 10) + (uint32_t)(lo - 0xdc00));
		return true;
	}
	if (hi >= 0xdc00 && hi < 0xe000)
		return false;
	put_utf8(sb, (uint32_t)hi);
	return true;
}

static bool put_escape(struct json_read *j, struct strbuf *sb)
{
	static const char from[] = "\"\\/bfnrt", to[] = "\"\\/\b\f\n\r\t";
	const char *at;
	char c;

	if (j->at == j->end)
		return false;
	c = *j->at++;
	if (c == 'u')
		return put_unit(j, sb);
	at = c ? strchr(from, c) : NULL;
	if (!at)
		return false;
	strbuf__putc(sb, to[at - from]);
	return true;
}

bool json_read__str(struct json_read *j, struct strbuf *sb)
{
	const char *from;

	strbuf__reset(sb);
	if (json_read__peek(j) != '"')
		return fail(j);
	j->at++;
	for (;;) {
		from = j->at;
		while (j->at < j->end && *j->at != '"' && *j->at != '\\' &&
		       (unsigned char)*j->at >= 0x20)
			j->at++;
		strbuf__add(sb, from, (size_t)(j->at - from));
		if (j->at == j->end || (unsigned char)*j->at < 0x20)
			return fail(j);
		if (*j->at++ == '"')
			return true;
		if (!put_escape(j, sb))
			return fail(j);
	}
}

bool json_read__u64(struct json_read *j, uint64_t *v)
{
	char c = json_read__peek(j);

	if (c < '0' || c > '9')
		return fail(j);
	for (*v = 0; j->at < j->end && *j->at >= '0' && *j->at <= '9'; j->at++)
		if (__builtin_mul_overflow(*v, 10, v) ||
		    __builtin_add_overflow(*v, (uint64_t)(*j->at - '0'), v))
			return fail(j);
	if (j->at < j->end && strchr(".eE", *j->at) && *j->at)
		return fail(j);
	return true;
}

/* A literal name. */
static bool word(struct json_read *j, const char *name)
{
	size_t len = strlen(name);

	if ((size_t)(j->end - j->at) < len || memcmp(j->at, name, len) != 0)
		return fail(j);
	j->at += len;
	return true;
}

bool json_read__bool(struct json_read *j, bool *v)
{
	*v = json_read__peek(j) == 't';
	return word(j, *v ? "true" : "false");
}

static bool skip_number(struct json_read *j)
{
	const char *from = j->at;

	while (j->at < j->end && *j->at && strchr("+-.0123456789eE", *j->at))
		j->at++;
	return j->at > from ? true : fail(j);
}

static bool skip_plain(struct json_read *j)
{
	struct strbuf sb = STRBUF_INIT;
	bool good;

	switch (json_read__peek(j)) {
	case '"':
		good = json_read__str(j, &sb);
		strbuf__free(&sb);
		return good;
	case 't':
		return word(j, "true");
	case 'f':
		return word(j, "false");
	case 'n':
		return word(j, "null");
	default:
		return skip_number(j);
	}
}

bool json_read__skip(struct json_read *j)
{
	struct strbuf key = STRBUF_INIT;
	char stack[MAX_DEPTH];
	int depth = 0;
	char c;

	do {
		/* One value, or the beginning of one. */
		c = json_read__peek(j);
		if (c == '{' || c == '[') {
			if (depth == MAX_DEPTH) {
				fail(j);
				break;
			}
			stack[depth++] = c;
			json_read__enter(j, c);
		} else if (!skip_plain(j)) {
			break;
		}
		while (depth && !json_read__next(j) && !j->bad)
			depth--;
		if (depth && stack[depth - 1] == '{')
			json_read__key(j, &key);
	} while (depth && !j->bad);
	strbuf__free(&key);
	return !j->bad;
}
