/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* How a report prints callchains, as `report -g` takes it. */
#ifndef BPFPERF_PROFILE_HIST_GRAPH_H
#define BPFPERF_PROFILE_HIST_GRAPH_H

#include <stdbool.h>
#include <stddef.h>

struct hist_config;

/* Given, so that no default takes its place. */
struct hist_graph {
	bool has_order, has_limit;
	bool has_number; /* the smallest percentage among the words */
	bool no_chains; /* -g none */
};

/* Sets cfg from the words of -g; NULL is accepted: -g without any. 0, or -EINVAL (logged). */
int hist_graph__set(struct hist_graph *graph, struct hist_config *cfg, const char *arg);
/* Sets a percentage from len characters; messages name `option`. 0, or -EINVAL (logged). */
int hist_graph__set_percent(double *percent, const char *option, const char *arg, size_t len);

#endif
