/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * The records that a filter passes, written in C: the tests' second opinion. Each function
 * does what its namesake of trace_events_filter.c does, but that a text ends at its NUL.
 */
#ifndef BPFPERF_TESTS_FILTER_ORACLE_H
#define BPFPERF_TESTS_FILTER_ORACLE_H

#include <string.h>

#include "filter/ast.h"

struct oracle {
	const struct filter *f;
	const char *entry; /* with slack behind it */
	const char *comm; /* 16 bytes */
	int cpu;
	const char *kernel_text, *user_text; /* behind every such pointer; NULL: cannot be read */
};

/* Returns the pattern behind its first element, which is no star, if that matches c; else NULL. */
static const char *oracle__take(const char *pat, unsigned char c)
{
	if (*pat == '?')
		return pat + 1;
	if (*pat == '[') {
		const char *p = pat + 1;
		bool invert = *p == '!', hit = false, first = true;

		for (p += invert; *p && (first || *p != ']'); first = false) {
			unsigned char a = (unsigned char)*p++, b = a;

			if (p[0] == '-' && p[1] != ']') {
				if (!p[1])
					break;
				b = (unsigned char)p[1];
				p += 2;
			}
			hit |= a <= c && c <= b;
		}
		if (*p == ']')
			return hit != invert ? p + 1 : NULL;
	} else if (*pat == '\\') {
		pat++;
	}
	return (unsigned char)*pat == c ? pat + 1 : NULL;
}

/*
 * Shell pattern against the text up to its NUL or its end: what fails is tried again a byte behind
 * the last star.
 */
static bool oracle__glob(const char *pat, const char *s, const char *end)
{
	const char *star = NULL, *from = NULL, *next;

	for (;;) {
		unsigned char c = s < end ? (unsigned char)*s : 0;

		if (*pat == '*') {
			star = ++pat;
			from = s;
			continue;
		}
		next = NULL;
		if (!*pat || (pat[0] == '\\' && !pat[1])) {
			if (!c)
				return true;
		} else if (c) {
			next = oracle__take(pat, c);
		}
		if (next) {
			pat = next;
			s++;
			continue;
		}
		if (!star || from >= end || !*from)
			return false;
		pat = star;
		s = ++from;
	}
}

/* `len` of 0: up to the NUL. in_array: the text may be shorter than its room. */
static bool oracle__match(const struct pattern *p, const char *s, int len, bool in_array)
{
	int i, text_len = (int)strnlen(s, (size_t)len);

	switch (p->kind) {
	case PATTERN_FULL:
		if (!len)
			return !strcmp(s, p->text);
		return len >= p->len && !strncmp(s, p->text, (size_t)len);
	case PATTERN_FRONT:
		return (!len || len >= p->len) && !strncmp(s, p->text, p->len);
	case PATTERN_MIDDLE:
		for (i = 0; i + p->len <= text_len; i++)
			if (!memcmp(s + i, p->text, p->len))
				return true;
		return !p->len;
	case PATTERN_END:
		if (!in_array)
			text_len = len - 1;
		return text_len >= p->len && !memcmp(s + text_len - p->len, p->text, p->len);
	case PATTERN_GLOB:
		return oracle__glob(p->text, s, s + len);
	}
	return false;
}

static int oracle__text(const struct oracle *o, const struct filter_pred *p)
{
	const char *s = o->entry + p->off;
	int len = p->size, loc;
	uint32_t word;

	memcpy(&word, s, sizeof(word));
	loc = word & 0xffff;
	switch (p->where) {
	case FILTER_AT_RELATIVE:
		loc += p->off + 4;
		/* fall through */
	case FILTER_AT_DYNAMIC:
		if (loc > FILTER_LOC_MAX)
			return 0;
		s = o->entry + loc;
		len = (int)(word >> 16);
		break;
	case FILTER_AT_KERNEL_PTR:
	case FILTER_AT_USER_PTR:
		s = p->where == FILTER_AT_USER_PTR ? o->user_text : o->kernel_text;
		if (!s)
			return 0;
		len = (int)strlen(s) + 1;
		break;
	case FILTER_AT_COMM:
		s = o->comm;
		break;
	default:
		break;
	}
	return oracle__match(&p->pattern, s, len,
			     p->where == FILTER_AT_FIELD || p->where == FILTER_AT_COMM) ^
	       p->pattern.invert ^ (p->op == FILTER_NE);
}

static uint64_t oracle__value(const struct oracle *o, const struct filter_pred *p)
{
	uint64_t v = 0;

	if (p->where == FILTER_AT_CPU)
		return (uint64_t)o->cpu;
		/* The low bytes of v, whichever end they are at. */
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
	memcpy((char *)&v + 8 - p->size, o->entry + p->off, p->size);
#else
	memcpy(&v, o->entry + p->off, p->size);
#endif
	return v;
}

#define ORACLE_COMPARE(type, a, op, b)                                                             \
	((op) == FILTER_LT   ? (type)(a) < (type)(b)                                               \
	 : (op) == FILTER_LE ? (type)(a) <= (type)(b)                                              \
	 : (op) == FILTER_GT ? (type)(a) > (type)(b)                                               \
	 : (op) == FILTER_GE ? (type)(a) >= (type)(b)                                              \
	 : (op) == FILTER_EQ ? (type)(a) == (type)(b)                                              \
	 : (op) == FILTER_NE ? (type)(a) != (type)(b)                                              \
			     : ((type)(a) & (type)(b)) != 0)

static int oracle__number(const struct oracle *o, const struct filter_pred *p)
{
	uint64_t v = oracle__value(o, p);

	switch (p->size) {
	case 8:
		return p->is_signed ? ORACLE_COMPARE(int64_t, v, p->op, p->val)
				    : ORACLE_COMPARE(uint64_t, v, p->op, p->val);
	case 4:
		return p->is_signed ? ORACLE_COMPARE(int32_t, v, p->op, p->val)
				    : ORACLE_COMPARE(uint32_t, v, p->op, p->val);
	case 2:
		return p->is_signed ? ORACLE_COMPARE(int16_t, v, p->op, p->val)
				    : ORACLE_COMPARE(uint16_t, v, p->op, p->val);
	default:
		return p->is_signed ? ORACLE_COMPARE(int8_t, v, p->op, p->val)
				    : ORACLE_COMPARE(uint8_t, v, p->op, p->val);
	}
}

static bool oracle__bit(const uint64_t *mask, unsigned int cpu)
{
	return mask[cpu / 64] >> cpu % 64 & 1;
}

static int oracle__cpu_in(const struct oracle *o, const struct filter_pred *p)
{
	unsigned int cpu = (unsigned int)oracle__value(o, p);

	if (cpu >= o->f->cpu_cnt)
		return 0;
	return p->op == FILTER_NE || (p->op == FILTER_AND && oracle__bit(p->mask, cpu));
}

static int oracle__mask(const struct oracle *o, const struct filter_pred *p)
{
	unsigned int cpu, same = 1, common = 0;
	uint64_t mask[FILTER_MASK_WORDS];
	uint32_t word, loc;

	memcpy(&word, o->entry + p->off, sizeof(word));
	loc = (word & 0xffff) + (p->where == FILTER_AT_RELATIVE ? p->off + 4u : 0);
	if (loc > FILTER_LOC_MAX)
		return 0;
	memcpy(mask, o->entry + loc, sizeof(mask));
	for (cpu = 0; cpu < o->f->cpu_cnt; cpu++) {
		same &= oracle__bit(mask, cpu) == oracle__bit(p->mask, cpu);
		common |= oracle__bit(mask, cpu) && oracle__bit(p->mask, cpu);
	}
	return p->op == FILTER_EQ ? (int)same : p->op == FILTER_NE ? !same : (int)common;
}

static int oracle__pred(const struct oracle *o, const struct filter_pred *p)
{
	uint64_t v;

	switch (p->kind) {
	case FILTER_NUMBER:
		return oracle__number(o, p);
	case FILTER_TEXT:
		return oracle__text(o, p);
	case FILTER_RANGE:
		v = oracle__value(o, p);
		return (v >= p->val && v < p->end) == (p->op != FILTER_NE);
	case FILTER_CPU_IN:
		return oracle__cpu_in(o, p);
	case FILTER_MASK:
		return oracle__mask(o, p);
	case FILTER_NEVER:
		return 0;
	}
	return 0;
}

static bool oracle__node(const struct oracle *o, uint32_t idx)
{
	const struct filter_node *n = &o->f->nodes[idx];
	bool yes;

	if (n->kind == FILTER_NODE_PRED)
		yes = oracle__pred(o, &o->f->preds[n->a]);
	else if (n->kind == FILTER_NODE_AND)
		yes = oracle__node(o, n->a) && oracle__node(o, n->b);
	else
		yes = oracle__node(o, n->a) || oracle__node(o, n->b);
	return yes != n->invert;
}

/* Does the record pass? */
__attribute__((unused)) static bool oracle__passes(const struct oracle *o)
{
	return oracle__node(o, o->f->root);
}

#endif
