// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* Parses one predicate, FIELD OP VALUE, and decides which comparisons a field allows. */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "filter/field.h"
#include "filter/parser.h"
#include "util/array.h"

/* machine/tasks.c: the name of thread 0 */
#define IDLE_NAME "swapper"

static const char *const op_names[] = { "==", "!=", "<", "<=", ">", ">=", "&", "~" };

/* Parses an operator at p->at; longer ones are tried first. */
static int parse_op(struct filter_parser *p, const char *field, enum filter_op *op)
{
	static const enum filter_op order[] = { FILTER_EQ, FILTER_NE, FILTER_LE,  FILTER_LT,
						FILTER_GE, FILTER_GT, FILTER_AND, FILTER_GLOB };
	const char *s = p->expr + p->at;
	size_t i;

	for (i = 0; i < sizeof(order) / sizeof(order[0]); i++) {
		size_t len = strlen(op_names[order[i]]);

		if (strncmp(s, op_names[order[i]], len) != 0 || !strncmp(s, "&&", 2))
			continue;
		*op = order[i];
		p->at += len;
		return 0;
	}
	return filter_parser__error(p, p->at,
				    "%s is to be compared here: follow it by one of "
				    "== != < <= > >= & ~ and a value",
				    field);
}

static bool is_word(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

/* The field of a predicate and the op; the functions below parse the value. */
struct term {
	struct filter_field field;
	size_t name_at, op_at;
	bool user, function; /* .ustring, .function */
};

static int wrong_op(struct filter_parser *p, const struct term *t, enum filter_op op,
		    const char *what, const char *ops)
{
	return filter_parser__error(p, t->op_at, "%s cannot be compared with %s: %s takes %s",
				    t->field.name, op_names[op], what, ops);
}

/* Suffixes of a field's name. */
static int parse_suffix(struct filter_parser *p, struct term *t)
{
	size_t at = p->at, len = 0;

	if (p->expr[at] != '.')
		return 0;
	while (is_word(p->expr[at + 1 + len]))
		len++;
	p->at += 1 + len;
	t->user = len == 7 && !strncmp(p->expr + at + 1, "ustring", len);
	t->function = len == 8 && !strncmp(p->expr + at + 1, "function", len);
	if (!t->user && !t->function)
		return filter_parser__error(p, at,
					    "a field's name is followed by .function, .ustring or "
					    "nothing");
	if (t->user && t->field.where != FILTER_AT_KERNEL_PTR)
		return filter_parser__error(
			p, at,
			".ustring is for fields of type char *, a text in the memory of the "
			"process; %s has another type",
			t->field.name);
	if (t->user)
		t->field.where = FILTER_AT_USER_PTR;
	if (t->function && (t->field.size != 8 || t->field.kind == FILTER_FIELD_MASK))
		return filter_parser__error(
			p, at,
			".function is for fields that hold an address (8 bytes); %s has another "
			"type",
			t->field.name);
	return 0;
}

static int parse_function(struct filter_parser *p, const struct term *t, struct filter_pred *pred)
{
	size_t from = p->at, len;
	uint64_t addr = 0;
	char *name = NULL;
	int err;

	if (pred->op != FILTER_EQ && pred->op != FILTER_NE)
		return wrong_op(p, t, pred->op, "a function", "== and !=");
	if (!p->env->function)
		return filter_parser__error(p, t->name_at,
					    "the kernel's functions cannot be read here; compare "
					    "%s with an address",
					    t->field.name);
	if (isdigit((unsigned char)p->expr[from])) {
		err = filter_number__parse(p, t->field.name, false, &addr);
		if (err)
			return err;
	} else {
		for (len = 0; is_word(p->expr[from + len]) ||
			      (p->expr[from + len] && strchr(".$", p->expr[from + len]));
		     len++)
			;
		name = strndup(p->expr + from, len);
		if (!name)
			return -ENOMEM;
		p->at += len;
	}
	err = p->env->function(p->env->ctx, name, addr, &pred->val, &pred->end);
	pred->kind = FILTER_RANGE;
	if (err)
		err = filter_parser__error(p, from,
					   "the kernel has no function %s; /proc/kallsyms lists "
					   "them (to root, with kernel.kptr_restrict at 1 or 0)",
					   name ? name : "there");
	free(name);
	return err;
}

/* Explains that the kernel does not find a text at this location. */
static int note_user_text(struct filter_parser *p, const struct term *t)
{
	/* Pointers of other systems point into the kernel. */
	if (t->field.where != FILTER_AT_KERNEL_PTR || strcmp(p->fmt->sys, "syscalls") != 0 ||
	    p->f->hint)
		return 0;
	if (asprintf(&p->f->hint,
		     "%s is in the memory of the process, which the kernel reads only where "
		     "%s.ustring is written: this comparison is never true",
		     t->field.name, t->field.name) < 0) {
		p->f->hint = NULL;
		return -ENOMEM;
	}
	return 0;
}

static int parse_text(struct filter_parser *p, const struct term *t, struct filter_pred *pred)
{
	const char *from = p->expr + p->at + 1, *to = strchr(from, from[-1]);
	bool in_array = pred->where == FILTER_AT_FIELD || pred->where == FILTER_AT_COMM;
	struct pattern_automaton a;
	size_t at = p->at;

	if (pred->op != FILTER_EQ && pred->op != FILTER_NE && pred->op != FILTER_GLOB)
		return wrong_op(p, t, pred->op, "a text", "==, != and ~");
	if (!to)
		return filter_parser__error(p, at,
					    "the text that begins here is not closed; close the "
					    "quotes");
	if (to - from >= PATTERN_MAX)
		return filter_parser__error(p, at, "a text has %d characters at most; shorten it",
					    PATTERN_MAX - 1);
	pred->kind = FILTER_TEXT;
	pattern__init(&pred->pattern, from, (size_t)(to - from), pred->op == FILTER_GLOB);
	p->at = (size_t)(to + 1 - p->expr);
	if (pattern__is_searched(&pred->pattern, in_array) && pattern__compile(&pred->pattern, &a))
		return filter_parser__error(
			p, at,
			"a pattern that is searched for has %d characters at most; shorten it",
			PATTERN_TOKENS);
	return note_user_text(p, t);
}

static int parse_cpus(struct filter_parser *p, const struct term *t, struct filter_pred *pred)
{
	size_t at = p->at, i;
	unsigned int cnt;
	int err;

	if (t->field.kind == FILTER_FIELD_TEXT)
		return filter_parser__error(p, at, "%s is a text: compare it with one in quotes",
					    t->field.name);
	if (pred->op != FILTER_EQ && pred->op != FILTER_NE && pred->op != FILTER_AND)
		return wrong_op(p, t, pred->op, "a list of CPUs", "==, != and &");
	err = filter_cpus__parse(p, pred->mask, &cnt);
	if (err)
		return err;
	if (t->field.kind == FILTER_FIELD_MASK) {
		pred->kind = FILTER_MASK;
		return 0;
	}
	if (cnt > 1) {
		pred->kind = FILTER_CPU_IN;
		return 0;
	}
	/* A single CPU is treated like a number. */
	for (i = 0; !pred->mask[i]; i++)
		;
	pred->val = i * 64 + (unsigned int)__builtin_ctzll(pred->mask[i]);
	pred->kind = FILTER_NUMBER;
	if (pred->op == FILTER_AND)
		pred->op = FILTER_EQ;
	return 0;
}

static int parse_number(struct filter_parser *p, const struct term *t, struct filter_pred *pred)
{
	int err;

	if (t->field.kind == FILTER_FIELD_MASK)
		return filter_parser__error(p, p->at,
					    "%s is a set of CPUs: compare it with CPUS{…}, such as "
					    "%s & CPUS{0-3}",
					    t->field.name, t->field.name);
	err = filter_number__parse(p, t->field.name, t->field.is_signed, &pred->val);
	if (err)
		return err;
	if (pred->op == FILTER_GLOB)
		return wrong_op(p, t, pred->op, "a number", "== != < <= > >= and &");
	pred->kind = FILTER_NUMBER;
	/* The kernel accepts `CPU & 1`, which is never true. */
	if (t->field.where == FILTER_AT_CPU && pred->op == FILTER_AND)
		pred->kind = FILTER_NEVER;
	return 0;
}

static int parse_value(struct filter_parser *p, const struct term *t, struct filter_pred *pred)
{
	char c = p->expr[p->at];

	if (t->function)
		return parse_function(p, t, pred);
	if (!strncmp(p->expr + p->at, "CPUS", 4))
		return parse_cpus(p, t, pred);
	if (t->field.kind != FILTER_FIELD_TEXT)
		return parse_number(p, t, pred);
	if (c != '"' && c != '\'')
		return filter_parser__error(p, p->at,
					    "%s is a text: compare it with one in quotes, such as "
					    "%s == \"…\" or %s ~ \"…*\"",
					    t->field.name, t->field.name, t->field.name);
	return parse_text(p, t, pred);
}

static struct filter_pred *add_pred(struct filter_parser *p)
{
	struct filter *f = p->f;

	if (array__reserve((void **)&f->preds, &f->pred_cap, f->pred_cnt + 1, sizeof(*f->preds)))
		return NULL;
	memset(&f->preds[f->pred_cnt], 0, sizeof(*f->preds));
	return &f->preds[f->pred_cnt++];
}

bool filter_pred__names_idle(const struct filter_pred *pred)
{
	return pred->where == FILTER_AT_COMM && pred->kind == FILTER_TEXT &&
	       pred->pattern.kind == PATTERN_FULL && !strcmp(pred->pattern.text, IDLE_NAME);
}

int filter_pred__add_idle(struct filter_parser *p)
{
	struct filter_pred *pred = add_pred(p);

	if (!pred)
		return -ENOMEM;
	*pred = pred[-1];
	pred->pattern.kind = PATTERN_FRONT;
	pred->pattern.text[pred->pattern.len++] = '/';
	return 0;
}

int filter_pred__parse(struct filter_parser *p)
{
	struct term t = { .name_at = p->at };
	struct filter_pred *pred;
	size_t len = 0;
	int err;

	while (is_word(p->expr[p->at + len]))
		len++;
	if (!len)
		return filter_parser__error(p, p->at, "here a field's name is expected");
	if (p->f->pred_cnt >= FILTER_PRED_MAX)
		return filter_parser__error(p, p->at, "a filter has %d comparisons at most",
					    FILTER_PRED_MAX);
	err = filter_field__find(p, p->expr + p->at, len, &t.field);
	if (err)
		return err;
	pred = add_pred(p);
	if (!pred)
		return -ENOMEM;
	p->at += len;
	err = parse_suffix(p, &t);
	if (err)
		return err;
	pred->where = t.field.where;
	pred->off = t.field.off;
	pred->size = t.field.size;
	pred->is_signed = t.field.is_signed;
	pred->absent_off = t.field.absent_off;
	pred->absent_bit = t.field.absent_bit;
	filter_parser__skip_blanks(p);
	t.op_at = p->at;
	err = parse_op(p, t.field.name, &pred->op);
	if (err)
		return err;
	filter_parser__skip_blanks(p);
	return parse_value(p, &t, pred);
}
