/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Durations of latency --each: from the record of an end to a line, or to a record of a format. */
#ifndef BPFPERF_RUN_LATENCY_EACH_H
#define BPFPERF_RUN_LATENCY_EACH_H

#include "decode/presenter.h"
#include "decode/trace_record.h"
#include "run/callstacks.h"
#include "run/latency_lines.h"
#include "run/latency_pairs.h"
#include "util/u64map.h"

struct machine;
struct record;
struct sink;

struct latency_each {
	const struct latency_pairs *pairs;
	struct trace_decoder decoder;
	struct presenter from, to; /* each with a text of its own */
	struct latency_lines lines; /* set by the caller; not used where durations are samples */
	/* Set by the caller: durations go there, not to lines. NULL: lines */
	void (*row)(void *ctx, const struct span_each *e);
	void *row_ctx;
	struct callstacks callstacks; /* -g: of starts and ends */
	bool has_stacks;
	uint64_t start[WIRE_SPAN_ENTRY / sizeof(uint64_t)]; /* the entry of a start, for one call */
	/* Formats of records: one event for each start and end of a pair. */
	struct event_list events;
	struct each_event *made;
	size_t made_cnt;
	struct u64map tgids; /* of threads: their processes, of those that records tell or /proc */
	char comm[16];
	uint64_t buf[EACH_RECORD_MAX / 8];
};

/* pairs are open; pairs and the machine outlive it. 0 or -ENOMEM; free it in any case. */
int latency_each__init(struct latency_each *each, const struct latency_pairs *pairs,
		       struct machine *machine, bool has_stacks);
/*
 * Before latency_each__use_events(): headers of formats name all events that there may be, one for
 * each start and end. 0, or -EINVAL (logged): they are too many.
 */
int latency_each__check(const struct latency_pairs *pairs, const char *format);
/* Durations are samples of each->events, not lines. 0 or -ENOMEM. */
int latency_each__use_events(struct latency_each *each);
/* Safe for a zeroed struct. */
void latency_each__free(struct latency_each *each);
/*
 * Passes the duration of a RECORD_WIRE to the sink of each->events, or appends its line to out. 1:
 * done; 0: it is no duration; or -errno.
 */
int latency_each__put(struct latency_each *each, const struct record *rec, struct sink *sink,
		      struct strbuf *out);

#endif
