/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* One duration as a record: its start and its end, with the fields of both. */
#ifndef BPFPERF_SPAN_EACH_H
#define BPFPERF_SPAN_EACH_H

#include <stdint.h>

struct sample;
struct strbuf;

/* A duration that was sent. All pointers are valid until the call returns. */
struct span_each {
	const char *pair;
	uint64_t ns;
	const struct sample *from; /* of the start, its event, raw data, text and tid alone */
	const struct sample *to;
};

/*
 * Appends a line: the task, the CPU and the time of the end, the duration, and both events by their
 * print formats (SAMPLE_NEEDS_TEXT).
 */
void span_each__put_text(struct strbuf *out, const struct span_each *e);
/* Appends an object, a line, with the fields of both events. */
void span_each__put_json(struct strbuf *out, const struct span_each *e);

/* Appends {"field":value,…} of one of the events. */
void span_each__put_fields(struct strbuf *out, const struct sample *s);

#endif
