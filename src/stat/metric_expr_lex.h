/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* The state of the parser of metric expressions, and its lexer. Private to stat/metric_expr_*.c. */
#ifndef BPFPERF_STAT_METRIC_EXPR_LEX_H
#define BPFPERF_STAT_METRIC_EXPR_LEX_H

#include <stdbool.h>

#include "stat/metric_expr.h"

enum expr_token {
	TOKEN_END,
	TOKEN_NUMBER,
	TOKEN_WORD, /* an event, a metric, a function, if, else */
	TOKEN_LITERAL,
	TOKEN_SIGN, /* one character */
};

struct expr_parser {
	const char *text, *at; /* at: behind the token */
	const struct expr_parser *outer; /* of the expression that this metric is in, or NULL */
	enum expr_token token;
	const char *from; /* begin of the token */
	double number;
	char word[EXPR_ID_SZ];
	char sign;

	const struct expr_env *env;
	struct metric_expr *e;
	unsigned int depth; /* of parentheses, functions and metrics */
	struct expr_error *err;
	bool failed;
};

/* Keeps the first error; its place is that of the token. Returns 0, as a node. */
unsigned int expr_parser__fail(struct expr_parser *p, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
/* Reads the next token. */
void expr_parser__next(struct expr_parser *p);
/* Takes the len characters at s as a word, without backslashes and with '/' for '@'. */
void expr_parser__take_word(struct expr_parser *p, const char *s, size_t len);
/* Returns the length of the name at s, with its backslashes. */
size_t expr_parser__word_len(const char *s);

#endif
