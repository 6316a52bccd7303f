/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* The options of bpfperf trace, and the rules between them. */
#ifndef BPFPERF_CMD_TRACE_OPTS_H
#define BPFPERF_CMD_TRACE_OPTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "run/callstacks.h"
#include "cmd/common_opts.h"
#include "run/sample_counters.h"
#include "run/trace_predicates.h"
#include "session/trigger.h"
#include "event/event.h"
#include "sink/sink.h"

struct trace_opts {
	struct common_opts common;
	struct event_list events;
	struct agg_opts agg;
	uint64_t max_events;
	enum time_format time;
	uint64_t budget; /* records per second */
	bool header;
	bool lost_exit;
	bool overwrite;
	bool per_thread; /* for counts: --by tid; records contain their thread anyway */
	struct triggers triggers;
	struct callstack_opts callstack;
	struct counter_opts counters;
};
_Static_assert(offsetof(struct trace_opts, common) == 0, "TARGET_OPTS have offsets from there");

/* The tables for struct command. */
extern const struct opt trace_opts[];
extern const struct opt_rule trace_rules[];

/* For struct command: parses an argument as an event, like that of -e. */
int trace_opts__event(void *opts, const char *arg);
/*
 * Do the events and options go together? Chooses the budget where none was given. 0, or -EINVAL
 * after one sentence.
 */
int trace_opts__check(struct trace_opts *o, int argc);
/* Checks that the format supports the options. 0, or -EINVAL, logged. */
int trace_opts__check_output(const struct trace_opts *o, const struct sink_ops *ops);
/* Returns whether a stack is taken with each record. */
bool trace_opts__callstacks(const struct trace_opts *o);
/* Frees everything that the parsers have allocated. */
void trace_opts__free(struct trace_opts *o);

#endif
