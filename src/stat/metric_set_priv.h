/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* The members of a metric_set. Private to stat/metric_*.c. */
#ifndef BPFPERF_STAT_METRIC_SET_PRIV_H
#define BPFPERF_STAT_METRIC_SET_PRIV_H

#include "stat/metric_expr.h"
#include "stat/metric_set.h"

/* An event of metrics, which may stand for several: one for each memory controller. */
struct metric_input {
	const struct event **events; /* owned list */
	size_t cnt;
};

struct metric {
	const struct metric_def *def;
	struct metric_expr *expr;
	unsigned int inputs[EXPR_IDS]; /* of each id of expr: index in the set */
	const struct event *anchor; /* the metric is printed at the rows of this event */
	bool is_logged; /* a reason of its values has been logged */
};

#endif
