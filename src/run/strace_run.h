/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* A run of strace: system calls as text, or counted. */
#ifndef BPFPERF_RUN_STRACE_RUN_H
#define BPFPERF_RUN_STRACE_RUN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "strace/call_printer.h"
#include "strace/summary.h"
#include "target/targets.h"

struct cmd_user;

struct strace_options {
	const struct targets *targets;
	const struct cmd_user *cmd_user; /* the user that CMD runs as; NULL: the caller */
	uint64_t duration_ns;
	size_t ring_sz;
	const char *output; /* NULL: stdout */
	const char *format; /* NULL: text */
	const char *calls; /* -e trace=; NULL: all */
	unsigned int status; /* enum call_status; 0: all */
	bool no_signals; /* -e signal=none */
	bool counts, counts_too; /* -c, -C */
	struct summary_opts summary;
	struct printer_opts printer;
	uint64_t min_ns;
	bool stacks; /* -k */
	const char *filter; /* --filter; NULL: all calls */
	uint64_t budget; /* records a second; 0: no limit */
	bool lost_exit;
};

/* Runs; argv is CMD, if argc is not 0. Returns the exit status of the command. */
int strace_run(const struct strace_options *opts, int argc, char **argv);

#endif
