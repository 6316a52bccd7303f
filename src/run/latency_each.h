/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Durations of latency --each: from the record of an end to a line. */
#ifndef BPFPERF_RUN_LATENCY_EACH_H
#define BPFPERF_RUN_LATENCY_EACH_H

#include "decode/presenter.h"
#include "decode/trace_record.h"
#include "run/latency_pairs.h"
#include "span/each.h"

struct machine;
struct record;

struct latency_each {
	const struct latency_pairs *pairs;
	struct trace_decoder decoder;
	struct presenter from, to; /* each with a text of its own */
	void (*put)(struct strbuf *out, const struct span_each *e);
	unsigned int needs; /* enum sample_need */
};

/* pairs are open; pairs and the machine outlive it. 0 or -ENOMEM; free it in any case. */
int latency_each__init(struct latency_each *each, const struct latency_pairs *pairs,
		       struct machine *machine);
/* Safe for a zeroed struct. */
void latency_each__free(struct latency_each *each);
/* Appends the duration of a RECORD_WIRE. 1: done; 0: it is no duration; -ENOMEM. */
int latency_each__put(struct latency_each *each, const struct record *rec, struct strbuf *out);

#endif
