// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* Parses the expression around the predicates: && || ! ( ). */
#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <linux/types.h>

#include "bpf/wire.h"
#include "event/spec_error.h"
#include "filter/field.h"
#include "filter/parser.h"
#include "util/array.h"

int filter_parser__error(struct filter_parser *p, size_t off, const char *fmt, ...)
{
	char *text = NULL;
	va_list ap;
	int len;

	va_start(ap, fmt);
	len = vasprintf(&text, fmt, ap);
	va_end(ap);
	if (len < 0)
		return -ENOMEM;
	strbuf__reset(&p->fault->text);
	strbuf__puts(&p->fault->text, text);
	free(text);
	p->fault->off = off;
	p->fault->err = -EINVAL;
	return -EINVAL;
}

void filter_parser__skip_blanks(struct filter_parser *p)
{
	while (isspace((unsigned char)p->expr[p->at]))
		p->at++;
}

static int add_node(struct filter *f, struct filter_node node, uint32_t *idx)
{
	if (array__reserve((void **)&f->nodes, &f->node_cap, f->node_cnt + 1, sizeof(*f->nodes)))
		return -ENOMEM;
	f->nodes[f->node_cnt] = node;
	*idx = (uint32_t)f->node_cnt++;
	return 0;
}

static int parse_or(struct filter_parser *p, uint32_t *node);

static int parse_paren(struct filter_parser *p, uint32_t *node)
{
	size_t open_at = p->at++;
	int err;

	if (++p->depth > FILTER_DEPTH_MAX)
		return filter_parser__error(p, open_at,
					    "parentheses are nested too deep: %d at most",
					    FILTER_DEPTH_MAX);
	err = parse_or(p, node);
	if (err)
		return err;
	p->depth--;
	if (p->expr[p->at] != ')')
		return filter_parser__error(p, p->expr[p->at] ? p->at : open_at,
					    p->expr[p->at] ? "here &&, || or ) is expected"
							   : "this parenthesis is not closed");
	p->at++;
	return 0;
}

static int add_pred_node(struct filter *f, size_t pred, bool invert, uint32_t *node)
{
	return add_node(f,
			(struct filter_node){
				.kind = FILTER_NODE_PRED, .invert = invert, .a = (uint32_t)pred },
			node);
}

/* Adds the node of the last predicate. An idle task has two names, and two predicates. */
static int add_preds(struct filter_parser *p, bool invert, uint32_t *node)
{
	struct filter *f = p->f;
	size_t last = f->pred_cnt - 1;
	struct filter_node both = { .kind = FILTER_NODE_OR, .invert = invert };
	int err;

	if (!filter_pred__names_idle(&f->preds[last]))
		return add_pred_node(f, last, invert, node);
	err = filter_pred__add_idle(p);
	if (!err)
		err = add_pred_node(f, last, false, &both.a);
	if (!err)
		err = add_pred_node(f, last + 1, false, &both.b);
	if ((f->preds[last].op == FILTER_NE) != f->preds[last].pattern.invert)
		both.kind = FILTER_NODE_AND;
	return err ? err : add_node(f, both, node);
}

/* [!…] predicate, or [!…] ( … ) */
static int parse_unary(struct filter_parser *p, uint32_t *node)
{
	bool invert = false;
	int err;

	filter_parser__skip_blanks(p);
	while (p->expr[p->at] == '!') {
		invert = !invert;
		p->at++;
		filter_parser__skip_blanks(p);
	}
	if (p->expr[p->at] == '(') {
		err = parse_paren(p, node);
		if (!err && invert)
			p->f->nodes[*node].invert = !p->f->nodes[*node].invert;
		return err;
	}
	err = filter_pred__parse(p);
	return err ? err : add_preds(p, invert, node);
}

static bool eat(struct filter_parser *p, const char *word)
{
	filter_parser__skip_blanks(p);
	if (strncmp(p->expr + p->at, word, strlen(word)) != 0)
		return false;
	p->at += strlen(word);
	return true;
}

static int parse_and(struct filter_parser *p, uint32_t *node)
{
	int err = parse_unary(p, node);

	while (!err && eat(p, "&&")) {
		struct filter_node both = { .kind = FILTER_NODE_AND, .a = *node };

		err = parse_unary(p, &both.b);
		if (!err)
			err = add_node(p->f, both, node);
	}
	return err;
}

static int parse_or(struct filter_parser *p, uint32_t *node)
{
	int err = parse_and(p, node);

	while (!err && eat(p, "||")) {
		struct filter_node either = { .kind = FILTER_NODE_OR, .a = *node };

		err = parse_and(p, &either.b);
		if (!err)
			err = add_node(p->f, either, node);
	}
	return err;
}

int filter__parse(struct filter **out, const char *expr, const struct tp_format *fmt,
		  const struct filter_env *env, struct filter_fault *fault)
{
	struct filter_parser p = { expr, 0, fmt, env, NULL, fault, 0 };
	int err = -ENOMEM;

	*out = NULL;
	strbuf__reset(&fault->text);
	fault->err = 0;
	fault->off = 0;
	p.f = calloc(1, sizeof(*p.f));
	if (p.f) {
		p.f->cpu_cnt = env->cpu_cnt;
		err = parse_or(&p, &p.f->root);
	}
	if (!err && expr[p.at])
		err = filter_parser__error(&p, p.at,
					   expr[p.at] == ')' ? "this parenthesis was not opened"
							     : "here && or || is expected");
	if (err) {
		filter__free(p.f);
		if (err == -ENOMEM)
			strbuf__puts(&fault->text, "out of memory");
		fault->err = err;
		return err;
	}
	*out = p.f;
	return 0;
}

void filter__free(struct filter *f)
{
	if (!f)
		return;
	free(f->preds);
	free(f->nodes);
	free(f->hint);
	free(f);
}

void filter_fault__free(struct filter_fault *fault)
{
	strbuf__free(&fault->text);
}

int filter_fault__log(struct filter_fault *fault, const char *expr)
{
	spec__error(expr, fault->off, "--filter: %s", strbuf__cstr(&fault->text));
	return fault->err;
}

uint32_t filter__needs(const struct filter *f)
{
	uint32_t needs = 0;
	size_t i;

	for (i = 0; i < f->pred_cnt; i++)
		needs |= filter_field__needs(f->preds[i].where, f->preds[i].off);
	return needs;
}

const char *filter__hint(const struct filter *f)
{
	return f->hint;
}

char *filter__join(const char *a, const char *b)
{
	char *both;

	return asprintf(&both, "(%s) && (%s)", a, b) < 0 ? NULL : both;
}
