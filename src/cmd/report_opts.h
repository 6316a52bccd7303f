/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* The options of `report`. */
#ifndef BPFPERF_CMD_REPORT_OPTS_H
#define BPFPERF_CMD_REPORT_OPTS_H

#include <stdbool.h>

#include "cli/opt.h"
#include "cli/opt_rules.h"
#include "itrace/options.h"
#include "profile/hist.h"
#include "run/replay_files.h"
#include "run/replay_filter.h"
#include "sink/profile_sink.h"

struct report_opts {
	const char *input, *output, *format;
	struct hist_config hist;
	const char *annotate; /* a function; NULL: a report of all */
	bool stdio, quiet;
	bool header, header_only, stats, tasks; /* facts about the recording */
	bool children, no_children; /* neither: children if the recording has callchains */
	bool has_order, has_chain_limit; /* given for callchains */
	bool no_chains; /* -g none */
	uint64_t max_stack;
	bool inlined, no_inline, no_demangle;
	struct replay_files files;
	struct replay_filter filter;
	struct itrace_options itrace;
	bool is_relative; /* percentages of what is selected, not of all samples */
	struct profile_config profile;
	struct opt_given given;
};

/* The table for struct command. */
extern const struct opt report_opts[];
extern const struct opt_rule report_rules[];

/*
 * Chooses the options that were not given. has_chains: the recording has callchains;
 * are_tracepoints: it has no other events.
 */
void report_opts__complete(struct report_opts *o, bool has_chains, bool are_tracepoints);

#endif
