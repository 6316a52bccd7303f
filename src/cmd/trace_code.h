/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* What trace has done in the kernel with each event's records: filters, triggers and aggregation. */
#ifndef BPFPERF_CMD_TRACE_CODE_H
#define BPFPERF_CMD_TRACE_CODE_H

#include <stdbool.h>

#include "cmd/trigger.h"
#include "event/event.h"
#include "filter/agg.h"
#include "session/agg_cells.h"
#include "session/site_code.h"
#include "sink/agg.h"

struct agg_stacks;
struct trace_session;

/* --count, --hist, --sum, --by; -c. */
struct agg_opts {
	bool count;
	const char *hist, *sum, *by;
	uint64_t period; /* a record each time that an event has counted so far; 0: each */
};

struct trace_code {
	struct site_event *sites; /* by event; NULL: nothing is done */
	uint32_t needs; /* enum wire_site_need */
	struct agg_config agg; /* mode 0: records are sent */
	struct agg_plan plan;
	struct agg_event **agg_events; /* by event, where there is aggregation */
	char *part_names[AGG_PARTS_MAX];
	const struct event_list *events;
};

/* Does --by list the stack (where an event has no field of that name)? */
bool agg_opts__by_stack(const struct agg_opts *opts);
/* Is anything aggregated, so that no record is sent? */
bool agg_opts__any(const struct agg_opts *opts);
/* 0; -EINVAL after a sentence; -ENOMEM (said). Free it in any case, before the triggers. */
int trace_code__open(struct trace_code *code, const struct event_list *events,
		     const struct agg_opts *opts, struct triggers *triggers);
void trace_code__free(struct trace_code *code);

/*
 * What was counted, after deactivate; free it in any case, before the stacks (which are looked at with
 * WIRE_AGG_STACK alone). 0 or -errno (said).
 */
int trace_code__result(const struct trace_code *code, const struct trace_session *session,
		       struct agg_stacks *stacks, struct agg_result *res);
void agg_result__free(struct agg_result *res);

#endif
