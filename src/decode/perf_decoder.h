/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * PERF_RECORD_SAMPLE of a recording → struct sample, like trace_record.h and stack_record.h for
 * live sources.
 */
#ifndef BPFPERF_DECODE_PERF_DECODER_H
#define BPFPERF_DECODE_PERF_DECODER_H

#include <stdbool.h>
#include <stddef.h>

#include "data/perf_sample.h"
#include "decode/perf_callchain.h"
#include "decode/read_group.h"
#include "decode/recorded_events.h"
#include "decode/sample.h"
#include "util/strbuf.h"

struct recording;
struct stack_dump;
struct sym;
struct tasks;

/* The form in which a consumer reads a sample's stack. */
enum perf_stack_form {
	/* s->perf->callchain as recorded; s->perf->stack has the unwound user addresses only. */
	PERF_STACK_AS_RECORDED,
	PERF_STACK_IN_ORDER, /* s->perf->stack has all addresses */
	PERF_STACK_BY_SIDE, /* s->chain as well */
};

struct perf_decoder_config {
	const struct recording *rec;
	struct tasks *tasks;
	struct sym *sym;
	enum perf_stack_form form;
	size_t max_stack; /* maximum number of frames of a callchain, and of an unwound stack */
	bool outermost; /* a cut callchain keeps its outermost frames, else the innermost */
};

struct perf_decoder {
	struct perf_decoder_config cfg;
	struct recorded_events events;
	struct stack_dump *stacks;
	struct read_group group;
	struct perf_callchain chain; /* callchain of the current record */
	bool has_chain;
	bool in_group; /* the current record has counter values, and may have further members */
	struct perf_sample member; /* the record as one member of its group */
	struct sample sample; /* the one that is handed out */
	struct strbuf swapped; /* raw data in this machine's byte order */
	struct strbuf call_stack; /* words of a callchain with a stack of calls */
};

/* Initializes d; cfg is copied, and the objects it points to outlive the decoder. 0 or -ENOMEM. */
int perf_decoder__init(struct perf_decoder *d, const struct perf_decoder_config *cfg);
void perf_decoder__free(struct perf_decoder *d);

/* Fills *ps from a PERF_RECORD_SAMPLE. 0, -EBADMSG or -ENOENT like perf_sample__parse(). */
int perf_decoder__parse(struct perf_decoder *d, const struct perf_event_header *hdr,
			struct perf_sample *ps);
/* Takes a sample that was made, not parsed. */
void perf_decoder__take(struct perf_decoder *d, struct perf_sample *ps);
/*
 * Sets *s to the next sample of the record that was parsed last (read_group.h), without its stack;
 * it is valid until the next call. 1; 0: none; or -ENOMEM.
 */
int perf_decoder__next(struct perf_decoder *d, const struct perf_sample *ps, struct sample **s);
/* Returns whether perf_decoder__next() may return a further sample. */
static inline bool perf_decoder__has_more(const struct perf_decoder *d)
{
	return d->in_group;
}

/* Decodes, and unwinds, the stack of the sample that perf_decoder__next() returned. */
void perf_decoder__stack(struct perf_decoder *d, struct sample *s);
/* Converts the sample's raw data to this machine's byte order. 0 or -ENOMEM. */
int perf_decoder__swap_raw(struct perf_decoder *d, struct sample *s);

/*
 * Completes the sample that perf_decoder__next() returned by what `needs` (enum sample_need) names:
 * the stack takes most of the time. 0 or -ENOMEM.
 */
static inline int perf_decoder__complete(struct perf_decoder *d, struct sample *s,
					 unsigned int needs)
{
	if (needs & SAMPLE_NEEDS_STACK)
		perf_decoder__stack(d, s);
	return s->perf->swap ? perf_decoder__swap_raw(d, s) : 0;
}

#endif
