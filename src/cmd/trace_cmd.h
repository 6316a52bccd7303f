/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Shared by the files of bpfperf trace: trace.c, trace_open.c. */
#ifndef BPFPERF_CMD_TRACE_CMD_H
#define BPFPERF_CMD_TRACE_CMD_H

#include <stdbool.h>

#include <linux/types.h>

#include "bpf/wire.h"
#include "run/agg_stacks.h"
#include "run/budget.h"
#include "run/callstacks.h"
#include "run/live_run.h"
#include "run/sample_counters.h"
#include "run/flight_recorder.h"
#include "run/trace_predicates.h"
#include "decode/presenter.h"
#include "decode/trace_record.h"
#include "sink/perf_data.h"
#include "sink/perfetto.h"

struct trace_opts;
struct trace_session;

/* Everything that one run owns. */
struct trace {
	const struct trace_opts *opts;
	struct event_list *events; /* events of opts; the session completes them */
	struct live_run run;
	struct trace_session *session;
	struct trace_decoder decoder;
	struct presenter presenter;
	struct callstacks callstacks;
	struct sample_counters counters;
	struct budget budget;
	struct flight_recorder recorder; /* for --overwrite */
	struct machine_subscriber to_unwinder; /* subscriber of process events */
	struct trace_predicates code;
	struct agg_result agg;
	struct agg_stacks agg_stacks; /* for --by stack */
	struct perfetto_config perfetto;
	struct perf_data_config recording; /* for --format perf */
};

/* Returns whether --by stack was given. */
static inline bool trace__by_stack(const struct trace *t)
{
	return t->code.agg.mode & WIRE_AGG_STACK;
}

#endif
