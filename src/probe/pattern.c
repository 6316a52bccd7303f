// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "probe/pattern.h"

#include <ctype.h>
#include <fnmatch.h>
#include <stdint.h>
#include <string.h>

#include "sym/demangle.h"

#define GLOB_CHARS "*?["

/* Words that mangled names have no letters of: abbreviations and operators. */
static bool is_encoded(const char *word, size_t len)
{
	static const char *const words[] = { "std", "operator", "anonymous", "namespace", NULL };
	size_t i;

	for (i = 0; words[i]; i++)
		if (len == strlen(words[i]) && !strncmp(word, words[i], len))
			return true;
	return false;
}

/* Has the mangled name other letters: for std, conversions, new, delete, lambdas? */
static bool has_other_letters(const char *text)
{
	const char *op = strstr(text, "operator ");

	return strstr(text, "std::") || strchr(text, '{') || (op && isalpha((uint8_t)op[9]));
}

/*
 * The longest run of letters and digits: mangled names have it, too. They have other names for
 * types, which stand between < and >, and for all of the standard library's.
 */
static void find_core(struct func_pattern *p)
{
	static const char letters[] =
		"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";
	const char *at = p->text, *best = at;
	size_t len, best_len = 0;
	int depth = 0;

	while (*at && !has_other_letters(p->text)) {
		len = strspn(at, letters);
		if (len > best_len && depth <= 0 && !is_encoded(at, len)) {
			best = at;
			best_len = len;
		}
		at += len;
		depth += *at == '<' || *at == '(' ? 1 : *at == '>' || *at == ')' ? -1 : 0;
		/* Within brackets are the letters of one place. */
		if (*at == '[')
			at += strcspn(at, "]");
		if (*at)
			at++;
	}
	if (best_len >= sizeof(p->core))
		best_len = sizeof(p->core) - 1;
	memcpy(p->core, best, best_len);
	p->core[best_len] = '\0';
}

void func_pattern__init(struct func_pattern *p, const char *text)
{
	*p = (struct func_pattern){ .text = text };
	p->is_glob = strpbrk(text, GLOB_CHARS) != NULL;
	p->plain_len = strcspn(text, GLOB_CHARS "\\");
	p->has_scope = strstr(text, "::") != NULL;
	find_core(p);
}

bool func_pattern__match_plain(const struct func_pattern *p, const char *name)
{
	if (!p->is_glob)
		return !strcmp(p->text, name);
	/* fnmatch(3) takes its time for each of the kernel's fifty thousand names. */
	return !strncmp(p->text, name, p->plain_len) && !fnmatch(p->text, name, 0);
}

/* The name behind its scopes; those within template arguments do not count. */
static const char *without_scope(const char *name)
{
	const char *at, *last = name;
	int depth = 0;

	for (at = name; *at; at++) {
		if (*at == '<' || *at == '(')
			depth++;
		else if (*at == '>' || *at == ')')
			depth--;
		else if (!depth && at[0] == ':' && at[1] == ':')
			last = at + 2;
	}
	return last;
}

static bool match_printed(const struct func_pattern *p, struct strbuf *printed)
{
	const char *name = strbuf__cstr(printed);

	if (func_pattern__match_plain(p, name))
		return true;
	return !p->has_scope && func_pattern__match_plain(p, without_scope(name));
}

/* GCC and Clang give clones of functions such suffixes. */
static bool is_part(const char *suffix)
{
	return !strncmp(suffix, ".cold", 5) || !strncmp(suffix, ".part", 5);
}

bool func_pattern__match(const struct func_pattern *p, const char *symbol, struct strbuf *printed)
{
	const char *suffix = strchr(symbol, '.');
	char base[512];

	if (p->core[0] && !strstr(symbol, p->core))
		return false;
	if (suffix && suffix != symbol && is_part(suffix))
		return false;
	strbuf__reset(printed);
	if (demangle__is_mangled(symbol) && demangle(symbol, printed)) {
		if (match_printed(p, printed))
			return true;
	} else {
		strbuf__puts(printed, symbol);
	}
	if (func_pattern__match_plain(p, symbol))
		return true;
	if (!suffix || suffix == symbol || (size_t)(suffix - symbol) >= sizeof(base))
		return match_printed(p, printed);
	memcpy(base, symbol, (size_t)(suffix - symbol));
	base[suffix - symbol] = '\0';
	return func_pattern__match_plain(p, base) || match_printed(p, printed);
}
