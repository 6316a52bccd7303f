/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Which options of a command go together: a table of those that do not. */
#ifndef BPFPERF_CLI_OPT_RULES_H
#define BPFPERF_CLI_OPT_RULES_H

#include <stdint.h>

/* Broken where all of `given` were given and none of `unless`: bits of the command's own. */
struct opt_rule {
	uint32_t given, unless;
	const char *sentence; /* what is wrong, and the remedy; NULL ends the table */
};

/* 0, or -EINVAL after the sentence of the first rule that is broken. */
int opt_rules__check(const struct opt_rule *rules, uint32_t given);

#endif
