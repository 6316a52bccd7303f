/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Durations one by one, and as records of an event that is made up: its fields are the duration,
 * then those of the start and of the end, so that all formats of records can print it.
 */
#ifndef BPFPERF_SPAN_EACH_EVENT_H
#define BPFPERF_SPAN_EACH_EVENT_H

#include <stdbool.h>
#include <stdint.h>

#include "decode/sample.h"

struct event;

/* A duration that was sent. All pointers are valid until the call returns. */
struct span_each {
	const char *pair;
	uint64_t ns;
	const struct sample
		*from; /* of the start, its event, raw data, stack, text and tid alone */
	const struct sample *to; /* its thread is the one that the duration is of */
};

/* Two events of a pair as one. */
struct each_event {
	const struct event *from, *to; /* not owned */
	struct event *ev; /* "latency:runq"; the field from_pid is the start's pid */
	struct each_field *fields;
	size_t field_cnt;
	uint32_t fixed_sz; /* bytes before the data of dynamic fields */
};

/* The longest record. */
#define EACH_RECORD_MAX 8192

/*
 * Makes the event of a pair, for these two of its events. id: of its records; others: there are
 * other starts and ends of the pair. 0 or -ENOMEM; ev, which is the caller's from then on, is the
 * event of all its samples.
 */
int each_event__init(struct each_event *e, const char *pair, const struct event *from,
		     const struct event *to, bool others, uint16_t id);
void each_event__free(struct each_event *e);
/* Fills *s, a sample of e->ev, with a record in buf, of EACH_RECORD_MAX bytes, aligned to 8. */
void each_event__sample(const struct each_event *e, const struct span_each *each, void *buf,
			struct sample *s);

#endif
