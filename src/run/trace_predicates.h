/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Work that trace has the kernel do on the records of each event: filters, triggers and
 * aggregation.
 */
#ifndef BPFPERF_RUN_TRACE_PREDICATES_H
#define BPFPERF_RUN_TRACE_PREDICATES_H

#include <stdbool.h>

#include "session/trigger.h"
#include "event/event.h"
#include "filter/agg.h"
#include "session/agg_cells.h"
#include "session/patch_code.h"
#include "stat/agg_result.h"

struct agg_stacks;
struct trace_session;

/* --count, --hist, --sum, --by; -c. */
struct agg_opts {
	bool count;
	const char *hist, *sum, *by;
	uint64_t period; /* a record each time that an event has counted so far; 0: each */
};

struct trace_predicates {
	struct patch_event *patches; /* by event; NULL: nothing is done */
	uint32_t needs; /* enum wire_patch_need */
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
/* 0; -EINVAL after a sentence; -ENOMEM (logged). Free it in any case, before the triggers. */
int trace_predicates__open(struct trace_predicates *code, const struct event_list *events,
			   const struct agg_opts *opts, struct triggers *triggers);
void trace_predicates__free(struct trace_predicates *code);

/*
 * Reads the counts after deactivate; free the result in any case, before the stacks (which are
 * read with WIRE_AGG_STACK alone). 0 or -errno (logged).
 */
int trace_predicates__result(const struct trace_predicates *code,
			     const struct trace_session *session, struct agg_stacks *stacks,
			     struct agg_result *res);
void agg_result__free(struct agg_result *res);

#endif
