/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* The options of `report`. */
#ifndef BPFPERF_CMD_REPORT_OPTS_H
#define BPFPERF_CMD_REPORT_OPTS_H

#include <stdbool.h>

#include "cli/opt.h"
#include "cli/opt_rules.h"
#include "itrace/options.h"
#include "profile/hist_graph.h"
#include "run/replay_files.h"
#include "run/replay_filter.h"
#include "sink/hist_sink.h"
#include "sink/profile_sink.h"

struct report_opts {
	const char *input, *output, *format;
	struct hist_sink_config
		lines; /* for --format stdio; completed by report_opts__complete() */
	const char *annotate; /* a function; NULL: a report of all */
	bool stdio;
	bool skip_empty; /* the default */
	bool group, no_group; /* neither: events that were recorded as a group */
	bool header, header_only, show_info, stats, tasks, mmaps; /* facts about the recording */
	bool threads; /* the counts of threads behind the lines */
	bool children, no_children; /* neither: children if the recording has callchains */
	struct hist_graph graph;
	bool inverted;
	uint64_t max_stack;
	bool no_inline, no_demangle;
	struct replay_files files;
	struct replay_filter filter;
	struct itrace_options itrace;
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
