/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * The pairs of a run of latency: their events, the code that joins and tells them apart, and the
 * rows that the kernel has counted.
 */
#ifndef BPFPERF_RUN_LATENCY_PAIRS_H
#define BPFPERF_RUN_LATENCY_PAIRS_H

#include <stdbool.h>

#include <linux/types.h>

#include "bpf/wire.h"
#include "bpf/span_wire.h"
#include "event/event.h"
#include "filter/span.h"
#include "session/patch_code.h"
#include "session/span_maps.h"
#include "span/pairs.h"
#include "span/result.h"
#include "util/u64map.h"

struct agg_stacks;
struct trace_session;

/* A pair of the command line, that is not in the table. */
struct pair_request {
	const char *from, *to; /* events; patterns are accepted */
	const char *key; /* FIELD[=FIELD],...; NULL: the thread */
	const char *from_filter, *to_filter; /* NULL: none */
};

/* One event in one of its two roles; a pair's role is NULL where an event has none. */
struct pair_role {
	struct span_role *role;
	struct filter *filter;
	unsigned int pair;
};

struct latency_pairs {
	struct pair pairs[WIRE_SPAN_PAIRS];
	unsigned int cnt;
	struct event_list events;
	const struct event_list *recorded; /* NULL: live; else events are of this list */
	struct agg_plan plan; /* the fields of --by; or one, by which each pair tells rows apart */
	bool has_own; /* that one */
	char *part_names[AGG_PARTS_MAX];
	struct pair_role *ends, *starts; /* by event */
	size_t role_cap;
	struct patch_event *end_code, *start_code; /* by event */
	uint32_t needs; /* enum wire_patch_need */
	struct span_config spans;
	struct strbuf texts[WIRE_SPAN_PAIRS][3]; /* of pairs that are not in the table */
};

/* Adds the pairs that a word names. 0; -EINVAL after a sentence. */
int latency_pairs__add(struct latency_pairs *p, const char *word);
/* Adds a pair by its events. The request's texts outlive the pairs. */
int latency_pairs__add_request(struct latency_pairs *p, const struct pair_request *req);
/*
 * Called after all pairs: resolves events and fields. by: NULL, or the list of --by. 0; -EINVAL or
 * another -errno after a sentence; -ENOMEM (logged). Free it in any case.
 */
int latency_pairs__open(struct latency_pairs *p, const char *by);
/*
 * For latency_pairs__open(): adds the events of a pair, and gives each its role. 0; -EINVAL or
 * another -errno after a sentence; -ENOMEM.
 */
int latency_pairs__resolve(struct latency_pairs *p, unsigned int pair);
/*
 * Emits the code of an event's start, or of its end, into zeroed code: r0 is 1 if its fields are
 * in the environment (filter/run.h). 0 or -errno.
 */
int latency_pairs__compile(const struct latency_pairs *p, size_t event, bool is_start,
			   struct code *c);
/* Called before it: durations of at least min_ns are sent, too. */
void latency_pairs__send_each(struct latency_pairs *p, uint64_t min_ns);
void latency_pairs__free(struct latency_pairs *p);

/* Number of ways in which a pair can start and end. */
unsigned int latency_pairs__combinations(const struct latency_pairs *p, unsigned int pair);
/* Does any pair need the task that is woken, which only a program can know? */
bool latency_pairs__of_woken(const struct latency_pairs *p);

/* The durations that the kernel has counted, by row and bucket. */
struct latency_cells {
	struct u64map by_row; /* of a recording: row and bucket → index */
	struct latency_cell *at; /* sorted: the buckets of one row stand together, in order */
	size_t cnt, cap;
};

/*
 * Reads all that was counted so far; stacks: of all records so far, by stack alone. 0 or -errno
 * (logged); free the cells in any case.
 */
int latency_cells__read(struct latency_cells *cells, const struct latency_pairs *p,
			const struct trace_session *session, struct agg_stacks *stacks);
void latency_cells__free(struct latency_cells *cells);

/* Adds a duration to the cells of a recording; finish them before they are used. 0 or -ENOMEM. */
int latency_cells__put(struct latency_cells *cells, const struct latency_pairs *p, uint64_t *row,
		       unsigned int pair, uint64_t ns);
/* Identifies the row of a key; words behind its fields are 0. See struct span_row.id. */
uint64_t latency_row__id(const uint64_t *row);
void latency_cells__finish(struct latency_cells *cells);

/* Do rows have a stack? */
static inline bool latency_pairs__by_stack(const struct latency_pairs *p)
{
	return agg_plan__has_stack(&p->plan);
}
/*
 * Makes rows of the cells, less those that were read `before` (NULL: none): then max_ns is that of
 * the longest durations' bucket so far, which is at most 1/64 too long. 0 or -errno (logged); free
 * the result in any case, before the stacks (which are read by stack alone).
 */
int latency_pairs__result(const struct latency_pairs *p, const struct latency_cells *cells,
			  const struct latency_cells *before, const struct agg_stacks *stacks,
			  struct span_result *res);
/* Adds the durations since `before` to the heat map, as of time_ns. 0 or -errno (logged). */
int latency_cells__add_heat(const struct latency_cells *cells, const struct latency_cells *before,
			    uint64_t time_ns, struct span_heat *heat);

#endif
