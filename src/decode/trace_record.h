/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Ring records of bpf/ tracepoint programs → samples. */
#ifndef BPFPERF_DECODE_TRACE_RECORD_H
#define BPFPERF_DECODE_TRACE_RECORD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <linux/perf_event.h>

#include "decode/sample.h"

struct event_list;
struct tasks;

struct trace_decoder {
	const struct event **by_id; /* tracepoint id → event */
	size_t id_cnt;
	struct tasks *tasks; /* not owned */
};

/* 0 or -ENOMEM. The list and tasks outlive the decoder. */
int trace_decoder__init(struct trace_decoder *d, const struct event_list *events,
			struct tasks *tasks);
void trace_decoder__free(struct trace_decoder *d);

/*
 * Fills *s from a PERF_RECORD_SAMPLE (wire.h); s points into hdr. False where
 * the record is damaged or of no known event.
 */
bool trace_decoder__sample(struct trace_decoder *d, const struct perf_event_header *hdr,
			   uint32_t cpu, struct sample *s);

/* How many records a PERF_RECORD_LOST stands for. */
uint64_t perf_record__lost_cnt(const struct perf_event_header *hdr);

#endif
