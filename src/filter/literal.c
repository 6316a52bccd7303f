// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* Parses numbers and lists of CPUs. */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "filter/parser.h"

/* Parses 'c' or '\n': the byte, and its length in the source; 0: not a character. */
static size_t char_constant(const char *s, uint64_t *val)
{
	static const char escapes[] = "0\0n\nt\tr\ra\ab\bf\fv\ve\033\\\\''\"\"";
	const char *e;

	if (s[0] != '\'' || !s[1])
		return 0;
	if (s[1] != '\\') {
		*val = (unsigned char)s[1];
		return s[1] != '\'' && s[2] == '\'' ? 3 : 0;
	}
	for (e = escapes; e < escapes + sizeof(escapes) - 1; e += 2) {
		if (s[2] == e[0] && s[3] == '\'') {
			*val = (unsigned char)e[1];
			return 4;
		}
	}
	return 0;
}

/* Length of a C suffix (u, l, ul, llu, …) if the word ends with one. */
static size_t suffix_len(const char *s)
{
	size_t len = strspn(s, "uUlL");

	return len <= 3 && !isalnum((unsigned char)s[len]) && s[len] != '_' ? len : 0;
}

int filter_number__parse(struct filter_parser *p, const char *field, bool is_signed, uint64_t *val)
{
	const char *s = p->expr + p->at;
	bool negative = *s == '-';
	size_t len = char_constant(s, val);
	char *end;

	if (len) {
		p->at += len;
		return 0;
	}
	if (!isdigit((unsigned char)s[negative]))
		return filter_parser__error(
			p, p->at,
			"%s is a number: compare it with one, such as 17, 0x1f, "
			"-3 or 'c'",
			field);
	if (negative && !is_signed)
		return filter_parser__error(
			p, p->at, "%s is unsigned: it is never negative; omit the minus", field);
	errno = 0;
	*val = is_signed ? (uint64_t)strtoll(s, &end, 0) : strtoull(s, &end, 0);
	end += suffix_len(end);
	if (isalnum((unsigned char)*end) || *end == '_')
		return filter_parser__error(p, (size_t)(end - p->expr),
					    "this is not a number; write it like 17, 0x1f, 017 or "
					    "-3");
	if (errno)
		return filter_parser__error(p, p->at, "%s has 64 bits at most: that is too large",
					    is_signed ? "a signed number" : "a number");
	p->at = (size_t)(end - p->expr);
	return 0;
}

static bool number(const char **s, unsigned int *val)
{
	unsigned long v;
	char *end;

	if (!isdigit((unsigned char)**s))
		return false;
	errno = 0;
	v = strtoul(*s, &end, 10);
	if (errno || v > UINT32_MAX)
		return false;
	*s = end;
	*val = (unsigned int)v;
	return true;
}

/* One range of a list: N, N-M, N-M:USED/GROUP; `N` stands for the last CPU, "all" for all. */
static bool parse_range(const char **s, unsigned int cpu_cnt, uint64_t *mask)
{
	unsigned int from, to, used = 1, group = 1, cpu;

	if (!strncmp(*s, "all", 3)) {
		*s += 3;
		from = 0;
		to = cpu_cnt - 1;
	} else if (**s == 'N') {
		++*s;
		from = to = cpu_cnt - 1;
	} else {
		if (!number(s, &from))
			return false;
		to = from;
		if (**s == '-') {
			++*s;
			if (**s == 'N') {
				++*s;
				to = cpu_cnt - 1;
			} else if (!number(s, &to)) {
				return false;
			}
		}
	}
	if (**s == ':') {
		++*s;
		if (!number(s, &used) || **s != '/')
			return false;
		++*s;
		if (!number(s, &group) || !group || used > group)
			return false;
	}
	if (from > to || to >= 64 * FILTER_MASK_WORDS)
		return false;
	for (cpu = from; cpu <= to; cpu++)
		if ((cpu - from) % group < used)
			mask[cpu / 64] |= 1ULL << cpu % 64;
	return true;
}

int filter_cpus__parse(struct filter_parser *p, uint64_t mask[FILTER_MASK_WORDS], unsigned int *cnt)
{
	const char *s = p->expr + p->at + strlen("CPUS");
	size_t i;

	memset(mask, 0, FILTER_MASK_WORDS * sizeof(*mask));
	*cnt = 0;
	if (*s++ != '{')
		return filter_parser__error(p, (size_t)(s - 1 - p->expr),
					    "a list of CPUs is written CPUS{0-3,7}");
	do {
		while (*s == ',' || isspace((unsigned char)*s))
			s++;
		if (*s == '}')
			break;
		if (!parse_range(&s, p->env->cpu_cnt, mask))
			return filter_parser__error(p, (size_t)(s - p->expr),
						    "a list of CPUs is written CPUS{0-3,7}, with "
						    "numbers below %d",
						    64 * FILTER_MASK_WORDS);
	} while (*s == ',' || isspace((unsigned char)*s));
	if (*s != '}')
		return filter_parser__error(p, (size_t)(s - p->expr),
					    "a list of CPUs ends with a brace: CPUS{0-3,7}");
	for (i = 0; i < FILTER_MASK_WORDS; i++)
		*cnt += (unsigned int)__builtin_popcountll(mask[i]);
	if (!*cnt)
		return filter_parser__error(p, p->at,
					    "the list of CPUs is empty; name some, such "
					    "as CPUS{0-3,7}");
	p->at = (size_t)(s + 1 - p->expr);
	return 0;
}
