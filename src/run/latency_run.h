/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* A run of latency: durations between events, counted in the kernel. */
#ifndef BPFPERF_RUN_LATENCY_RUN_H
#define BPFPERF_RUN_LATENCY_RUN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "export/exporter.h"
#include "run/callstacks.h"
#include "run/latency_pairs.h"
#include "target/targets.h"

struct cmd_user;

struct latency_options {
	const struct targets *targets;
	const struct cmd_user *cmd_user; /* the user that CMD runs as; NULL: the caller */
	uint64_t duration_ns;
	const char *input; /* a recording; NULL: live */
	const char *output; /* NULL: stdout */
	const char *format; /* NULL: text */
	const char *by; /* --by; NULL: none */
	uint64_t interval_ns; /* 0: one table at the end */
	bool each; /* durations as records, too … */
	uint64_t min_ns; /* … of at least this long */
	struct callstack_opts callstack; /* … with the stacks of both ends */
	size_t ring_sz; /* bytes of each ring of them; 0: default */
	bool hist;
	bool lost_exit;
	struct export_config export; /* url: tables go to a store */
};

/*
 * Runs, with pairs that are not opened yet; argv is CMD, if argc is not 0. Returns the exit status
 * of the command.
 */
int latency_run(const struct latency_options *opts, struct latency_pairs *pairs, int argc,
		char **argv);

#endif
