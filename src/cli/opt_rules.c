// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "cli/opt_rules.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "util/log.h"

#define NAME_MAX_SZ 64

/* Copies the name that begins at *p and moves *p past it. */
static void take_name(const char **p, char name[NAME_MAX_SZ])
{
	size_t len = strcspn(*p, "|,");

	snprintf(name, NAME_MAX_SZ, "%.*s", (int)len, *p);
	*p += len;
}

static bool holds(const char *name, const struct opt_given *given, const struct opt_fact *facts)
{
	if (!isupper((unsigned char)*name))
		return opt_given__has(given, name);
	for (; facts && facts->name; facts++)
		if (strcmp(facts->name, name) == 0)
			return facts->holds;
	return false;
}

/* Evaluates one term: true if any of its names holds. Moves *p to the next term, or to the end. */
static bool term_holds(const char **p, const struct opt_given *given, const struct opt_fact *facts)
{
	char name[NAME_MAX_SZ];
	bool any = false;

	for (;;) {
		take_name(p, name);
		any |= holds(name, given, facts);
		if (**p != '|')
			break;
		(*p)++;
	}
	if (**p == ',')
		(*p)++;
	return any;
}

static bool all_hold(const char *cond, const struct opt_given *given, const struct opt_fact *facts)
{
	while (*cond)
		if (!term_holds(&cond, given, facts))
			return false;
	return true;
}

static bool any_holds(const char *cond, const struct opt_given *given, const struct opt_fact *facts)
{
	while (*cond)
		if (term_holds(&cond, given, facts))
			return true;
	return false;
}

int opt_rules__check(const struct opt_rule *rules, const struct opt_given *given,
		     const struct opt_fact *facts)
{
	const struct opt_rule *r;

	for (r = rules; r->sentence; r++) {
		if (!all_hold(r->given, given, facts) ||
		    (r->unless && any_holds(r->unless, given, facts)))
			continue;
		log_error("%s", r->sentence);
		return -EINVAL;
	}
	return 0;
}

static bool is_option(const struct opt *opts, const char *name)
{
	const struct opt *o;

	for (o = opts; o->long_name || o->short_name; o++)
		if (o->long_name ? strcmp(o->long_name, name) == 0
				 : o->short_name == *name && !name[1])
			return true;
	return false;
}

const char *opt_rules__unknown_name(const struct command *cmd, char *buf, size_t sz)
{
	const struct opt_rule *r;
	const char *conds[2];
	char name[NAME_MAX_SZ];
	size_t i;

	for (r = cmd->rules; r && r->sentence; r++) {
		conds[0] = r->given;
		conds[1] = r->unless ? r->unless : "";
		for (i = 0; i < 2; i++) {
			while (*conds[i]) {
				take_name(&conds[i], name);
				conds[i] += *conds[i] != '\0';
				if (isupper((unsigned char)*name) || is_option(cmd->opts, name))
					continue;
				snprintf(buf, sz, "%s", name);
				return buf;
			}
		}
	}
	return NULL;
}
