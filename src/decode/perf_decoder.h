/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * PERF_RECORD_SAMPLE of a recording → struct sample, like trace_record.h and stack_record.h for
 * live sources.
 */
#ifndef BPFPERF_DECODE_PERF_DECODER_H
#define BPFPERF_DECODE_PERF_DECODER_H

#include <stdbool.h>
#include <stddef.h>

#include "decode/perf_callchain.h"
#include "decode/perf_sample.h"
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

/* Result of perf_decoder_config.filter. */
enum sample_wish {
	SAMPLE_DROP,
	SAMPLE_WITHOUT_STACK, /* the stack is neither unwound nor copied */
	SAMPLE_WITH_STACK,
};

struct perf_decoder_config {
	const struct recording *rec;
	struct tasks *tasks;
	struct sym *sym;
	enum perf_stack_form form;
	size_t max_stack; /* maximum number of frames of a callchain, and of an unwound stack */
	bool outermost; /* a cut callchain keeps its outermost frames, else the innermost */
	/*
	 * Called before a stack is unwound, which takes most of the time. NULL: SAMPLE_WITH_STACK.
	 */
	enum sample_wish (*filter)(void *ctx, const struct sample *s);
	int (*sample)(void *ctx, const struct sample *s);
	void *ctx; /* context of both callbacks */
};

struct perf_decoder {
	struct perf_decoder_config cfg;
	struct recorded_events events;
	struct stack_dump *stacks;
	struct read_group group;
	struct perf_callchain chain; /* callchain of the current record */
	bool has_chain;
	struct sample sample; /* the one that is handed out */
	struct strbuf swapped; /* raw data in this machine's byte order */
};

/* Initializes d; cfg is copied, and the objects it points to outlive the decoder. 0 or -ENOMEM. */
int perf_decoder__init(struct perf_decoder *d, const struct perf_decoder_config *cfg);
void perf_decoder__free(struct perf_decoder *d);

/* Fills *ps from a PERF_RECORD_SAMPLE. 0, -EBADMSG or -ENOENT like perf_sample__parse(). */
int perf_decoder__parse(struct perf_decoder *d, const struct perf_event_header *hdr,
			struct perf_sample *ps);
/*
 * Calls cfg.sample with each sample of the parsed record (read_group.h); the samples are valid
 * during the call. Returns the first value other than 0, or -ENOMEM.
 */
int perf_decoder__each(struct perf_decoder *d, const struct perf_sample *ps);

#endif
