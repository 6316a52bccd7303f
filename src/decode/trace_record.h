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
	const struct tp_field **weights; /* tracepoint id → weight field of a record; NULL: 1 */
	size_t id_cnt;
	struct tasks *tasks; /* not owned */
	uint64_t period; /* weight of each record; 0: the value of its weight field */
	uint32_t ext_sz; /* bytes between head and entry: set by the session, 0 after init */
	struct counter_values *counters; /* counters that follow the head; NULL: none */
	const struct stacks *stacks; /* the extension begins with a stack id; NULL: it does not */
};

/* The list and tasks outlive the decoder. 0 or -ENOMEM. */
int trace_decoder__init(struct trace_decoder *d, const struct event_list *events,
			struct tasks *tasks);
void trace_decoder__free(struct trace_decoder *d);

/*
 * Fills *s from a WIRE_TP or WIRE_TP_COMPAT record (wire.h) of sz bytes; s points into it. False
 * if the record is corrupt or its event is unknown.
 */
bool trace_decoder__sample(struct trace_decoder *d, const struct wire_rec *rec, uint32_t cpu,
			   struct sample *s);

#endif
