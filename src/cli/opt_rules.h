/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Which options of a command exclude or need each other: a table of rules that speak of options by
 * name. A condition is a comma list of terms, each of them names with | between:
 *
 *     "count|sum|hist|by,max-events"    one of the first four was given, and --max-events, too
 *
 * A name is an option's long name, or its letter where it has no other. A name in capitals is a
 * fact that the command knows beside its options, such as CMD.
 */
#ifndef BPFPERF_CLI_OPT_RULES_H
#define BPFPERF_CLI_OPT_RULES_H

#include <stdbool.h>
#include <stddef.h>

#include "cli/opt.h"

/* A rule is violated if all terms of `given` hold and no term of `unless` does. */
struct opt_rule {
	const char *given;
	const char *unless; /* NULL: no exception */
	const char *sentence; /* the error and the remedy; NULL ends the table */
};

/* A name of NULL ends a list of facts. */
struct opt_fact {
	const char *name;
	bool holds;
};

/*
 * Logs the sentence of the first violated rule and returns -EINVAL; else 0. facts NULL: the rules
 * refer to options alone.
 */
int opt_rules__check(const struct opt_rule *rules, const struct opt_given *given,
		     const struct opt_fact *facts);
/*
 * Copies the first name in the rules of a command that is not one of its options into buf of sz
 * bytes; NULL: there is none. Facts are ignored. For tests.
 */
const char *opt_rules__unknown_name(const struct command *cmd, char *buf, size_t sz);

#endif
