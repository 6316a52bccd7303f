// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "stat/metric_expr_lex.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

unsigned int expr_parser__fail(struct expr_parser *p, const char *fmt, ...)
{
	va_list ap;

	if (p->failed)
		return 0;
	p->failed = true;
	p->err->off = (size_t)(p->from - p->text);
	va_start(ap, fmt);
	vsnprintf(p->err->text, sizeof(p->err->text), fmt, ap);
	va_end(ap);
	return 0;
}

static bool is_symbol(char c)
{
	return isalnum((unsigned char)c) || (c && strchr("_.:@?", c));
}

/* Returns the length of the number at s: digits, a point, an exponent that may be negative. */
static size_t number_len(const char *s)
{
	size_t n = strspn(s, "0123456789"), digits = n, exponent;

	if (s[n] == '.') {
		n++;
		digits = strspn(s + n, "0123456789");
		n += digits;
		digits = n - 1;
	}
	if (!digits)
		return 0;
	if (s[n] != 'e')
		return n;
	exponent = strspn(s + n + 1 + (s[n + 1] == '-'), "0123456789");
	return exponent ? n + 1 + (s[n + 1] == '-') + exponent : n;
}

size_t expr_parser__word_len(const char *s)
{
	size_t n = 0;

	for (;;) {
		if (s[n] == '\\' && s[n + 1] && strchr("-,=", s[n + 1]))
			n += 2;
		else if (is_symbol(s[n]))
			n++;
		else
			return n;
	}
}

/* '?' stands for the number of a socket, which is 0 in perf's own default. */
void expr_parser__take_word(struct expr_parser *p, const char *s, size_t len)
{
	size_t i, n = 0;

	if (len >= sizeof(p->word)) {
		expr_parser__fail(p, "a name has more than %d characters", EXPR_ID_SZ - 1);
		len = sizeof(p->word) - 1;
	}
	for (i = 0; i < len; i++)
		if (s[i] != '\\')
			p->word[n++] = s[i] == '@' ? '/' : s[i] == '?' ? '0' : s[i];
	p->word[n] = '\0';
}

static void parse_number(struct expr_parser *p, size_t len)
{
	char digits[64];

	if (len >= sizeof(digits)) {
		expr_parser__fail(p, "a number has more than %zu digits", sizeof(digits) - 1);
		len = sizeof(digits) - 1;
	}
	memcpy(digits, p->from, len);
	digits[len] = '\0';
	p->token = TOKEN_NUMBER;
	p->number = strtod(digits, NULL);
	p->at = p->from + len;
}

void expr_parser__next(struct expr_parser *p)
{
	size_t number, word;

	while (isspace((unsigned char)*p->at))
		p->at++;
	p->from = p->at;
	number = number_len(p->at);
	word = expr_parser__word_len(p->at);
	if (!*p->at) {
		p->token = TOKEN_END;
	} else if (number && number >= word) {
		parse_number(p, number);
	} else if (word) {
		p->token = TOKEN_WORD;
		expr_parser__take_word(p, p->at, word);
		p->at += word;
	} else if (*p->at == '#') {
		for (word = 1; isalnum((unsigned char)p->at[word]) ||
			       (p->at[word] && strchr("_.-", p->at[word]));)
			word++;
		p->token = TOKEN_LITERAL;
		expr_parser__take_word(p, p->at, word);
		p->at += word;
	} else if (strchr("|^&<>-+*/%(),", *p->at)) {
		p->token = TOKEN_SIGN;
		p->sign = *p->at++;
	} else {
		expr_parser__fail(
			p,
			"'%c' has no meaning here; write a backslash before '-', ',' and '=' in "
			"the name of an event",
			isprint((unsigned char)*p->at) ? *p->at : '?');
	}
}
