/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* What `stack` is asked for: its options, and which of them go together. */
#ifndef BPFPERF_CMD_STACK_OPTS_H
#define BPFPERF_CMD_STACK_OPTS_H

#include <stdbool.h>
#include <stdint.h>

#include "cmd/common_opts.h"
#include "run/unwind_report.h"
#include "event/event.h"
#include "perf/perf_fd.h"
#include "sink/profile_sink.h"

struct stack_opts {
	struct common_opts common;
	struct event_list events;
	uint64_t freq_hz, period, max_depth;
	uint64_t default_hz; /* where neither is given; 0: as the session has it */
	uint64_t user_depth; /* of user stacks that are walked by tables */
	enum unwind_mode unwind;
	bool has_unwind; /* given */
	bool user, kernel;
	bool off_cpu, wakers;
	bool per_thread; /* --by thread, by the name that stat and record know */
	uint64_t min_us, max_us; /* of time off the CPU; 0: not given */
	bool top;
	bool no_inline, no_demangle;
	bool quiet; /* no summary */
	bool as_record; /* its CMD, where others are named, says how long; its status; its FILE.old */
	bool has_run; /* set where there is something in the output */
	const char *input; /* a saved profile, in place of sampling */
	struct profile_config profile;
};

/* The tables, for struct command. */
extern const struct opt stack_opts[];
extern const struct opt_rule stack_rules[];

/* For struct command: an argument is an event, as that of -e. */
int stack_opts__event(void *opts, const char *arg);
/*
 * Are these options that go together; what nobody gave is chosen. argc: words of CMD. 0, or
 * -EINVAL after one sentence.
 */
int stack_opts__check(struct stack_opts *o, int argc);
/* Is CMD sampled, should there be one? To `record`, as to perf, it says how long, where others are named. */
bool stack_opts__samples_cmd(const struct stack_opts *o);

#endif
