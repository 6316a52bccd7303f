/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Which functions a name or a shell glob means. */
#ifndef BPFPERF_PROBE_PATTERN_H
#define BPFPERF_PROBE_PATTERN_H

#include <stdbool.h>
#include <stddef.h>

#include "util/strbuf.h"

struct func_pattern {
	const char *text; /* not owned */
	bool is_glob;
	size_t plain_len; /* letters of the text before the first that stands for others */
	bool has_scope; /* "ns::func": names without scopes do not match */
	char core[64]; /* a part that each matching name has, whatever its form; "" for any */
};

void func_pattern__init(struct func_pattern *p, const char *text);
/*
 * Does a symbol of this linker's name match, by that name, without the suffix of a compiler's
 * clone, or in its printed form, with or without scopes? *printed is replaced by the name to print.
 * Parts of functions that are no beginnings (.cold, .part) do not match.
 */
bool func_pattern__match(const struct func_pattern *p, const char *symbol, struct strbuf *printed);
/* Does a name as it is written in the program match? */
bool func_pattern__match_plain(const struct func_pattern *p, const char *name);

#endif
