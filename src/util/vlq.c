// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "util/vlq.h"

static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/* Bits of a letter, and the bit that announces another one. */
#define DIGIT_BITS 5
#define MORE 32

void vlq__put(struct strbuf *sb, uint64_t v)
{
	if (strbuf__reserve(sb, VLQ_MAX))
		return;
	for (; v >= MORE; v >>= DIGIT_BITS)
		sb->buf[sb->len++] = letters[v % MORE + MORE];
	sb->buf[sb->len++] = letters[v];
}

static int value_of(char c)
{
	if (c >= 'A' && c <= 'Z')
		return c - 'A';
	if (c >= 'a' && c <= 'z')
		return c - 'a' + 26;
	if (c >= '0' && c <= '9')
		return c - '0' + 52;
	return c == '+' ? 62 : c == '/' ? 63 : -1;
}

bool vlq__read(const char **at, const char *end, uint64_t *v)
{
	unsigned int shift = 0;
	int letter;

	*v = 0;
	do {
		uint64_t digit;

		letter = *at < end ? value_of(*(*at)++) : -1;
		if (letter < 0 || shift >= 64)
			return false;
		digit = (uint64_t)letter % MORE;
		if (digit << shift >> shift != digit)
			return false;
		*v |= digit << shift;
		shift += DIGIT_BITS;
	} while (letter & MORE);
	return true;
}
