/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Access to the maps of bpf/span.bpf.h: durations between two events, counted in the kernel. */
#ifndef BPFPERF_SESSION_SPAN_MAPS_H
#define BPFPERF_SESSION_SPAN_MAPS_H

#include <stdbool.h>
#include <stdint.h>

struct bpf_object;
struct span_account;
struct trace_session;

struct span_config {
	unsigned int match_words; /* words of the key that joins two events, the pair included */
	unsigned int row_words; /* words of a row's key, pair and bucket included */
	uint32_t stay_pairs; /* bit of each pair with WIRE_SPAN_STAYS */
	/*
	 * The pair of all system calls by nothing but their number and the task's name: its index +
	 * 1; 0: none. Positions of the two in a row; 0: rows are not by it.
	 */
	unsigned int calls;
	uint8_t call_nr_at, call_comm_at;
	bool each; /* the records of ends are sent, with struct wire_span_ext … */
	uint64_t min_ns; /* … if they took at least this long */
	bool late; /* tasks are checked at starts only (WIRE_SPAN_TASK) */
	bool of_woken; /* a wakeup is of the task that is woken */
};

/* Durations of one row and bucket, of all CPUs. */
struct span_cell {
	uint64_t cnt, ns, max_ns;
};

/* Sets the maps' sizes; called before load. Returns 0 or -errno. */
int span_maps__configure(struct bpf_object *obj, const struct span_config *cfg);
/* Returns the number of rows and buckets, together, that there is room for. */
uint32_t span_maps__room(void);
/* Returns the number of places of a CPU for durations that are found without a search, - 1. */
uint32_t span_maps__hot_mask(const struct span_config *cfg);

typedef int span_maps_fn(void *ctx, const uint64_t *row, const struct span_cell *cell);
/*
 * Calls fn for each row and bucket that has counted, with the words of its key (enum
 * wire_span_word, then the fields of --by); for some of them more than once, with parts of the
 * durations. Returns 0, -errno, or the value that fn returned.
 */
int span_maps__read(const struct trace_session *s, span_maps_fn *fn, void *ctx);
/* Reads the accounts of pairs 0 to cnt - 1. Returns 0 or -errno. */
int span_maps__accounts(const struct trace_session *s, struct span_account *accounts,
			unsigned int cnt);

#endif
