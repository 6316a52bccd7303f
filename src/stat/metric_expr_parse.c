// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* Parses metric expressions, by precedence. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "stat/metric_expr_lex.h"

static unsigned int parse_if(struct expr_parser *p);

static bool is_sign(const struct expr_parser *p, char sign)
{
	return !p->failed && p->token == TOKEN_SIGN && p->sign == sign;
}

static bool is_word(const struct expr_parser *p, const char *word)
{
	return !p->failed && p->token == TOKEN_WORD && !strcmp(p->word, word);
}

static void expect(struct expr_parser *p, char sign)
{
	if (is_sign(p, sign))
		expr_parser__next(p);
	else
		expr_parser__fail(p, "'%c' is missing here", sign);
}

static unsigned int add_node(struct expr_parser *p, struct expr_node node)
{
	if (p->failed)
		return 0;
	if (p->e->cnt == EXPR_NODES)
		return expr_parser__fail(p, "the expression has more than %d operations",
					 EXPR_NODES);
	p->e->nodes[p->e->cnt] = node;
	return (unsigned int)p->e->cnt++;
}

static unsigned int add_number(struct expr_parser *p, double num)
{
	return add_node(p, (struct expr_node){ .op = EXPR_NUM, .num = num });
}

static bool is_number(const struct expr_parser *p, unsigned int node, double *num)
{
	*num = p->e->nodes[node].num;
	return p->e->nodes[node].op == EXPR_NUM;
}

/*
 * A constant that decides | or & alone, or a divisor of d_ratio that is 0, drops the events on the
 * other side, as perf does. Returns the node that is left, or -1.
 */
static long decide(const struct expr_parser *p, enum expr_op op, unsigned int a, unsigned int b)
{
	double num;

	if ((op == EXPR_OR || op == EXPR_AND) && is_number(p, a, &num) && !isnan(num))
		return (num != 0) == (op == EXPR_OR) ? (long)a : (long)b;
	if ((op == EXPR_OR || op == EXPR_AND) && is_number(p, b, &num) && !isnan(num))
		return (num != 0) == (op == EXPR_OR) ? (long)b : (long)a;
	if (op == EXPR_RATIO && is_number(p, b, &num) && num == 0)
		return (long)b;
	return -1;
}

static unsigned int add_op(struct expr_parser *p, enum expr_op op, unsigned int a, unsigned int b)
{
	double x = 0, y = 0;
	long left;

	if (p->failed)
		return 0;
	if (is_number(p, a, &x) && is_number(p, b, &y))
		return add_number(p, metric_op__apply(op, x, y, 0));
	left = decide(p, op, a, b);
	return left >= 0 ? (unsigned int)left
			 : add_node(p, (struct expr_node){ .op = op, .a = a, .b = b });
}

static unsigned int add_id(struct expr_parser *p, const char *name)
{
	size_t i;

	for (i = 0; i < p->e->id_cnt; i++)
		if (!strcmp(p->e->ids[i], name))
			break;
	if (i == EXPR_IDS)
		return expr_parser__fail(p, "the expression has more than %d events", EXPR_IDS);
	if (i == p->e->id_cnt) {
		p->e->ids[i] = strdup(name);
		if (!p->e->ids[i])
			return expr_parser__fail(p, "%s", strerror(ENOMEM));
		p->e->id_cnt++;
	}
	return add_node(p, (struct expr_node){ .op = EXPR_ID, .id = (unsigned int)i });
}

/* Parses the expression of another metric in place of its name. */
static unsigned int parse_metric(struct expr_parser *p, const char *text)
{
	const struct expr_parser outer = *p, *in;
	char name[sizeof(p->word)];
	unsigned int node;

	for (in = p->outer; in; in = in->outer)
		if (in->text == text)
			return expr_parser__fail(p, "the metric %.60s is a part of itself",
						 p->word);
	snprintf(name, sizeof(name), "%s", p->word);
	p->outer = &outer;
	p->text = p->at = text;
	expr_parser__next(p);
	node = parse_if(p);
	if (!p->failed && p->token != TOKEN_END)
		expr_parser__fail(p, "the metric %.60s ends too late", name);
	p->outer = outer.outer;
	p->text = outer.text;
	p->at = outer.at;
	p->from = outer.from;
	if (!p->failed)
		expr_parser__next(p);
	return node;
}

/* Parses `(name)` of a function; the name is left in p->word until the next token. */
static bool parse_name(struct expr_parser *p, char *name)
{
	expr_parser__next(p);
	expect(p, '(');
	if (!p->failed && p->token != TOKEN_WORD && p->token != TOKEN_NUMBER)
		expr_parser__fail(p, "a name is missing here");
	if (p->failed)
		return false;
	if (p->token == TOKEN_NUMBER)
		expr_parser__take_word(p, p->from, expr_parser__word_len(p->from));
	memcpy(name, p->word, EXPR_ID_SZ);
	expr_parser__next(p);
	expect(p, ')');
	return !p->failed;
}

static unsigned int parse_pair(struct expr_parser *p, enum expr_op op)
{
	unsigned int a, b;

	expr_parser__next(p);
	expect(p, '(');
	a = parse_if(p);
	expect(p, ',');
	b = parse_if(p);
	expect(p, ')');
	return add_op(p, op, a, b);
}

static unsigned int parse_word(struct expr_parser *p)
{
	const struct expr_env *env = p->env;
	const char *metric;
	char name[EXPR_ID_SZ];

	if (is_word(p, "min"))
		return parse_pair(p, EXPR_MIN);
	if (is_word(p, "max"))
		return parse_pair(p, EXPR_MAX);
	if (is_word(p, "d_ratio"))
		return parse_pair(p, EXPR_RATIO);
	if (is_word(p, "has_event"))
		return parse_name(p, name)
			       ? add_number(p, env->has_event && env->has_event(env->ctx, name))
			       : 0;
	if (is_word(p, "strcmp_cpuid_str"))
		return parse_name(p, name)
			       ? add_number(p, env->is_cpu && env->is_cpu(env->ctx, name))
			       : 0;
	/* Each name is one event here, of one source. */
	if (is_word(p, "source_count"))
		return parse_name(p, name) ? add_number(p, 1) : 0;
	if (is_word(p, "if") || is_word(p, "else"))
		return expr_parser__fail(p, "a value is missing before %s", p->word);
	if (is_word(p, "NaN")) {
		expr_parser__next(p);
		return add_number(p, NAN);
	}
	metric = env->metric ? env->metric(env->ctx, p->word) : NULL;
	/* In the expression of a metric its own name is that of an event. */
	if (metric && metric != p->text)
		return parse_metric(p, metric);
	memcpy(name, p->word, sizeof(name));
	expr_parser__next(p);
	return add_id(p, name);
}

static unsigned int parse_literal(struct expr_parser *p)
{
	double value;

	if (!p->env->literal || !p->env->literal(p->env->ctx, p->word, &value))
		return expr_parser__fail(p, "%.60s is not known on this machine", p->word);
	expr_parser__next(p);
	return add_number(p, value);
}

static unsigned int parse_operand(struct expr_parser *p)
{
	unsigned int node;
	double num;

	if (p->failed)
		return 0;
	switch (p->token) {
	case TOKEN_NUMBER:
		num = p->number;
		expr_parser__next(p);
		return add_number(p, num);
	case TOKEN_WORD:
		return parse_word(p);
	case TOKEN_LITERAL:
		return parse_literal(p);
	case TOKEN_END:
		return expr_parser__fail(p, "the expression ends before its last value");
	case TOKEN_SIGN:
		break;
	}
	if (is_sign(p, '(')) {
		expr_parser__next(p);
		node = parse_if(p);
		expect(p, ')');
		return node;
	}
	return expr_parser__fail(p, "a value is missing before '%c'", p->sign);
}

/* Parses a value with its minus signs. */
static unsigned int parse_unary(struct expr_parser *p)
{
	unsigned int node, minus = 0;
	double num;

	for (; is_sign(p, '-'); expr_parser__next(p))
		minus++;
	if (++p->depth > EXPR_DEPTH)
		return expr_parser__fail(p, "the expression nests more than %d deep", EXPR_DEPTH);
	node = parse_operand(p);
	p->depth--;
	if (p->failed || minus % 2 == 0)
		return node;
	return is_number(p, node, &num)
		       ? add_number(p, -num)
		       : add_node(p, (struct expr_node){ .op = EXPR_NEG, .a = node });
}

/* Signs by precedence, the weakest first, as in perf's grammar. */
static const struct {
	char sign;
	int level;
	enum expr_op op;
} signs[] = {
	{ '|', 1, EXPR_OR },  { '^', 2, EXPR_XOR }, { '&', 3, EXPR_AND }, { '<', 4, EXPR_LT },
	{ '>', 4, EXPR_GT },  { '+', 5, EXPR_ADD }, { '-', 5, EXPR_SUB }, { '*', 6, EXPR_MUL },
	{ '/', 6, EXPR_DIV }, { '%', 6, EXPR_MOD },
};

#define WEAKEST 1

/* Parses operations of at least this level; signs of one level bind from the left. */
static unsigned int parse_level(struct expr_parser *p, int level)
{
	unsigned int node = parse_unary(p);
	size_t i = 0;

	while (!p->failed && p->token == TOKEN_SIGN) {
		for (i = 0; i < sizeof(signs) / sizeof(*signs) && signs[i].sign != p->sign;)
			i++;
		if (i == sizeof(signs) / sizeof(*signs) || signs[i].level < level)
			break;
		expr_parser__next(p);
		node = add_op(p, signs[i].op, node, parse_level(p, signs[i].level + 1));
	}
	return node;
}

/* Parses `a if c else b`, in which b may be another one; a lone `a`, too. */
static unsigned int parse_if(struct expr_parser *p)
{
	unsigned int node = parse_level(p, WEAKEST), cond, other;
	double num, value;

	if (!is_word(p, "if"))
		return node;
	expr_parser__next(p);
	cond = parse_level(p, WEAKEST);
	if (!is_word(p, "else"))
		return expr_parser__fail(p, "else is missing here");
	expr_parser__next(p);
	if (++p->depth > EXPR_DEPTH)
		return expr_parser__fail(p, "the expression nests more than %d deep", EXPR_DEPTH);
	other = parse_if(p);
	p->depth--;
	if (p->failed)
		return 0;
	if (is_number(p, cond, &num))
		return num != 0 ? node : other;
	/* Both branches are one number: no event is needed. */
	if (is_number(p, node, &num) && is_number(p, other, &value) && num == value)
		return node;
	return add_node(p, (struct expr_node){ .op = EXPR_IF, .a = node, .b = other, .c = cond });
}

static void mark_operands(const struct expr_node *n, bool *is_used)
{
	if (n->op == EXPR_NUM || n->op == EXPR_ID)
		return;
	is_used[n->a] = true;
	if (n->op != EXPR_NEG)
		is_used[n->b] = true;
	if (n->op == EXPR_IF)
		is_used[n->c] = true;
}

/* Drops the nodes that the root does not depend on, and the ids of those. */
static void drop_unused(struct metric_expr *e, unsigned int root, bool *is_used,
			unsigned int *moved)
{
	unsigned int ids[EXPR_IDS], id_cnt = 0;
	bool has_id[EXPR_IDS] = { false };
	size_t i, n = 0;

	is_used[root] = true;
	for (i = root + 1; i-- > 0;)
		if (is_used[i])
			mark_operands(&e->nodes[i], is_used);
	for (i = 0; i <= root; i++)
		if (is_used[i] && e->nodes[i].op == EXPR_ID)
			has_id[e->nodes[i].id] = true;
	for (i = 0; i < e->id_cnt; i++) {
		ids[i] = id_cnt;
		if (has_id[i])
			e->ids[id_cnt++] = e->ids[i];
		else
			free(e->ids[i]);
	}
	e->id_cnt = id_cnt;
	for (i = 0; i <= root; i++) {
		struct expr_node node = e->nodes[i];

		if (!is_used[i])
			continue;
		moved[i] = (unsigned int)n;
		if (node.op == EXPR_ID)
			node.id = ids[node.id];
		node.a = moved[node.a];
		node.b = moved[node.b];
		node.c = moved[node.c];
		e->nodes[n++] = node;
	}
	e->cnt = n;
}

struct metric_expr *metric_expr__parse(const char *text, const struct expr_env *env,
				       struct expr_error *err)
{
	struct expr_parser p = { .text = text, .at = text, .from = text, .env = env, .err = err };
	bool *is_used = calloc(EXPR_NODES, sizeof(*is_used));
	unsigned int *moved = calloc(EXPR_NODES, sizeof(*moved)), root = 0;

	p.e = calloc(1, sizeof(*p.e));
	if (p.e) {
		p.e->nodes = calloc(EXPR_NODES, sizeof(*p.e->nodes));
		p.e->ids = calloc(EXPR_IDS, sizeof(*p.e->ids));
	}
	if (!is_used || !moved || !p.e || !p.e->nodes || !p.e->ids) {
		expr_parser__fail(&p, "%s", strerror(ENOMEM));
	} else {
		expr_parser__next(&p);
		root = parse_if(&p);
		if (!p.failed && p.token != TOKEN_END)
			expr_parser__fail(&p, "an operation is missing here");
		if (!p.failed)
			drop_unused(p.e, root, is_used, moved);
	}
	free(is_used);
	free(moved);
	if (!p.failed) {
		struct expr_node *fitting = reallocarray(p.e->nodes, p.e->cnt, sizeof(*fitting));

		p.e->nodes = fitting ? fitting : p.e->nodes;
		return p.e;
	}
	metric_expr__free(p.e);
	return NULL;
}

void metric_expr__free(struct metric_expr *e)
{
	size_t i;

	if (!e)
		return;
	for (i = 0; e->ids && i < e->id_cnt; i++)
		free(e->ids[i]);
	free(e->ids);
	free(e->nodes);
	free(e);
}
