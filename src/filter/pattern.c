// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "filter/pattern.h"

#include <ctype.h>
#include <errno.h>
#include <string.h>

/* Determines the kind by the positions of the stars; *from, *to: the text between them. */
static enum pattern_kind sort(const char *s, size_t len, size_t *from, size_t *to)
{
	bool star_first = len && s[0] == '*';
	size_t i;

	*from = 0;
	*to = len;
	/*
	 * The kernel takes a text that begins with a digit for an index, and an index for a text.
	 */
	if (len && isdigit((unsigned char)s[0]))
		return PATTERN_FULL;
	for (i = 0; i < len; i++) {
		if (memchr("[?\\", s[i], 3))
			return PATTERN_GLOB;
		if (s[i] != '*' || !i)
			continue;
		if (i != len - 1)
			return PATTERN_GLOB;
		*from = star_first;
		*to = i;
		return star_first ? PATTERN_MIDDLE : PATTERN_FRONT;
	}
	*from = star_first;
	return star_first ? PATTERN_END : PATTERN_FULL;
}

void pattern__init(struct pattern *p, const char *text, size_t len, bool is_glob)
{
	size_t from = 0, to = len;

	memset(p, 0, sizeof(*p));
	if (is_glob && len && text[0] == '!') {
		p->invert = true;
		text++;
		to = --len;
	}
	p->kind = is_glob ? sort(text, len, &from, &to) : PATTERN_FULL;
	p->len = (uint16_t)(to - from);
	memcpy(p->text, text + from, p->len);
}

/*
 * Parses the characters of a class, `s` after its '['; returns its length including the ']', or 0
 * if it is not closed (its '[' is then an ordinary character).
 */
static size_t parse_class(const char *s, bool takes[256])
{
	bool invert = s[0] == '!';
	size_t at = invert;
	unsigned int c;

	memset(takes, 0, 256);
	do {
		unsigned char a = (unsigned char)s[at], b = a;

		if (!a)
			return 0;
		at++;
		if (s[at] == '-' && s[at + 1] != ']') {
			b = (unsigned char)s[at + 1];
			if (!b)
				return 0;
			at += 2;
		}
		for (c = a; c <= b; c++)
			takes[c] = true;
	} while (s[at] != ']');
	for (c = 0; c < 256; c++)
		takes[c] ^= invert;
	return at + 1;
}

/* One token of a glob at `s`: the set of bytes it matches, and its length. */
static size_t parse_token(const char *s, bool takes[256])
{
	size_t len = s[0] == '[' ? parse_class(s + 1, takes) : 0;

	if (len)
		return len + 1;
	memset(takes, s[0] == '?', 256);
	if (s[0] == '?')
		return 1;
	if (s[0] == '\\') {
		takes[(unsigned char)s[1]] = true;
		return 2;
	}
	takes[(unsigned char)s[0]] = true;
	return 1;
}

static int add_token(struct pattern_automaton *a, const bool takes[256])
{
	unsigned int c;

	if (a->cnt == PATTERN_TOKENS)
		return -E2BIG;
	/* No token matches the NUL. */
	for (c = 1; c < 256; c++)
		if (takes[c])
			a->accepts[c] |= 1ULL << a->cnt;
	a->cnt++;
	return 0;
}

int pattern__compile(const struct pattern *p, struct pattern_automaton *a)
{
	const char *s = p->text;
	bool takes[256];
	int err = 0;

	memset(a, 0, sizeof(*a));
	if (p->kind == PATTERN_MIDDLE || p->kind == PATTERN_END)
		a->stays |= 1;
	while (*s && !err) {
		if (p->kind == PATTERN_GLOB && *s == '*') {
			a->stays |= 1ULL << a->cnt;
			s++;
			continue;
		}
		/*
		 * The kernel compares the NUL behind it: the text must end there, as it must
		 * anyway.
		 */
		if (p->kind == PATTERN_GLOB && !strcmp(s, "\\"))
			break;
		memset(takes, 0, sizeof(takes));
		if (p->kind == PATTERN_GLOB)
			s += parse_token(s, takes);
		else
			takes[(unsigned char)*s++] = true;
		err = add_token(a, takes);
	}
	if (p->kind == PATTERN_MIDDLE)
		a->stays |= 1ULL << a->cnt;
	return err;
}
