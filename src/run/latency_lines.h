/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* One duration as a line: its start and its end, with the fields of both. */
#ifndef BPFPERF_RUN_LATENCY_LINES_H
#define BPFPERF_RUN_LATENCY_LINES_H

#include "sink/callstack.h"
#include "sink/field_plan.h"
#include "span/each_event.h"

struct latency_lines {
	struct field_plans plans;
	struct callstack_printer start, end; /* each keeps texts by the chains of its samples */
	bool has_stacks;
	/* of these, the start's and the end's samples need (enum sample_need) */
	unsigned int needs;
	void (*put)(struct latency_lines *l, const struct span_each *e, struct strbuf *out);
};

/* Lines of text, or JSON objects; stacks: of both events. */
void latency_lines__init(struct latency_lines *l, bool is_json, bool has_stacks);
/* Safe for a zeroed struct. */
void latency_lines__free(struct latency_lines *l);
/*
 * Appends a line: the task, the CPU and the time of the end, the duration, and both events; below
 * it both stacks. Or an object, which is a line.
 */
static inline void latency_lines__put(struct latency_lines *l, const struct span_each *e,
				      struct strbuf *out)
{
	l->put(l, e, out);
}

#endif
