/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Calls and returns of a processor's trace, indented: `perf script -F callindent`. */
#ifndef BPFPERF_SINK_SCRIPT_CALLS_H
#define BPFPERF_SINK_SCRIPT_CALLS_H

#include <stdbool.h>
#include <stdint.h>

#include "util/strbuf.h"
#include "util/u64map.h"

struct sample;

/* Width of a file's name; 0: as long as it is. */
struct script_calls {
	size_t file_width;
	size_t width; /* of the column so far */
};

/*
 * Puts the function that is called or returns, by the depth of its call; without SCRIPT_IP and
 * SCRIPT_ADDR, with SCRIPT_DSO its file in front.
 */
void script_calls__put(struct script_calls *calls, struct strbuf *out, const struct sample *s,
		       uint64_t fields);

/* --graph-function: the threads that are in one of its functions. Zeroed: none is. */
struct script_graph {
	struct u64map depth_of; /* thread → depth of the call that led there */
};

/*
 * Is a branch to be printed: one that calls one of the functions of a list, or returns from it, or
 * follows that one at a greater depth? s has its lines. Without a list (NULL) or memory it is.
 */
bool script_graph__shows(struct script_graph *graph, const char *functions, const struct sample *s);
void script_graph__free(struct script_graph *graph);

#endif
