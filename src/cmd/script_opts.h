/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* The options of `script`. */
#ifndef BPFPERF_CMD_SCRIPT_OPTS_H
#define BPFPERF_CMD_SCRIPT_OPTS_H

#include <stdbool.h>
#include <stdint.h>

#include "cli/opt.h"
#include "itrace/options.h"
#include "run/replay_files.h"
#include "run/replay_filter.h"
#include "sink/script.h"
#include "sink/script_events.h"

struct sink_ops;

struct script_opts {
	const char *input, *output, *format;
	const char *binary; /* NULL: the program with most branches */
	struct script_choice choice;
	bool is_relative, is_delta;
	bool call_trace, call_ret_trace, insn_trace;
	const char *stop_bt, *graph_functions;
	bool full_paths;
	bool header, header_only, show_info;
	bool per_event_dump;
	bool dump, nanoseconds, no_callchain, inlined, no_inline;
	struct script_events show;
	uint64_t max_blocks; /* 0: all */
	uint64_t max_stack; /* 0: STACK_DEFAULT */
	struct replay_filter filter;
	struct replay_files files;
	struct itrace_options itrace;
};

/* The table for struct command. */
extern const struct opt script_opts[];

/*
 * Adds what --call-trace, --call-ret-trace and --insn-trace stand for. 0, or -EINVAL, logged.
 */
int script_opts__settle(struct script_opts *o);
/* Checks for options that contradict each other or the format. 0, or -EINVAL, logged. */
int script_opts__check(const struct script_opts *o, const struct sink_ops *ops);

#endif
