/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Data of a format for each event with fields: the text before the fields, and a pointer. */
#ifndef BPFPERF_SINK_PLAN_HEADS_H
#define BPFPERF_SINK_PLAN_HEADS_H

#include <stddef.h>

#include "sink/field_plan.h"
#include "util/strbuf.h"

struct event;

struct plan_head {
	const struct event *event; /* event of the text; NULL: not made yet */
	struct strbuf text;
	void *priv;
};

struct plan_heads {
	struct plan_head *by_plan; /* indexed by field_plan.idx */
	size_t cnt, cap;
};

/* Returns the head of a plan, zeroed at first; valid until the next call. NULL: no memory. */
struct plan_head *plan_heads__make(struct plan_heads *heads, const struct field_plan *plan);
/* free_priv: called for every priv; NULL: none is owned. */
void plan_heads__free(struct plan_heads *heads, void (*free_priv)(void *priv));

static inline struct plan_head *plan_heads__get(struct plan_heads *heads,
						const struct field_plan *plan)
{
	return plan->idx < heads->cnt ? &heads->by_plan[plan->idx] : plan_heads__make(heads, plan);
}

#endif
