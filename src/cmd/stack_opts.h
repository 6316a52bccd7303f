/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* The options of bpfperf stack, and the rules between them. */
#ifndef BPFPERF_CMD_STACK_OPTS_H
#define BPFPERF_CMD_STACK_OPTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cmd/common_opts.h"
#include "run/sampler.h"

struct stack_opts {
	struct common_opts common;
	struct sampler_config sampler; /* complete after stack_opts__check() */
	bool per_thread; /* --by thread, under the name that stat and record use */
	bool flat; /* --format flat */
	bool schema; /* print the schema alone */
	const char *input; /* a saved profile to print in place of sampling */
};
_Static_assert(offsetof(struct stack_opts, common) == 0, "TARGET_OPTS have offsets from there");

/* The tables for struct command. */
extern const struct opt stack_opts[];
extern const struct opt_rule stack_rules[];

/* For struct command: parses an argument as an event, like that of -e. */
int stack_opts__event(void *opts, const char *arg);
/* For struct command: logs what to do instead of an option of report. */
bool stack_opts__explain(const char *name, size_t len);
/*
 * Checks the options and sets those that were not given. argc: words of CMD. 0, or -EINVAL, logged.
 */
int stack_opts__check(struct stack_opts *o, int argc);
#endif
