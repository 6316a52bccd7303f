/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Records of bpf/ tracepoint programs → samples. */
#ifndef BPFPERF_DECODE_TRACE_RECORD_H
#define BPFPERF_DECODE_TRACE_RECORD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "decode/sample.h"

struct counter_values;
struct event_list;
struct stacks;
struct tasks;
struct tp_field;
struct wire_rec;

struct trace_decoder {
	const struct event **by_id; /* tracepoint id → event */
	const struct tp_field **weights; /* the same → how much a record counts; NULL: 1 */
	size_t id_cnt;
	struct tasks *tasks; /* not owned */
	uint64_t period; /* what a record stands for; 0: for what it counts */
	uint32_t ext_sz; /* bytes between head and entry: the session's, 0 after init */
	struct counter_values *counters; /* then these follow; NULL: none do */
	const struct stacks *stacks; /* the extension begins with a stack's id; NULL: it does not */
};

/* 0 or -ENOMEM. The list and tasks outlive the decoder. */
int trace_decoder__init(struct trace_decoder *d, const struct event_list *events,
			struct tasks *tasks);
void trace_decoder__free(struct trace_decoder *d);

/*
 * Fills *s from a WIRE_TP record (wire.h), of which all sz bytes are there; s
 * points into it. False where the record is damaged or of no known event.
 */
bool trace_decoder__sample(struct trace_decoder *d, const struct wire_rec *rec, uint32_t cpu,
			   struct sample *s);

#endif
