/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* PERF_RECORD_SAMPLE of a recording → struct sample, the counterpart of trace_record.h and stack_record.h. */
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

/* How much of a sample's stack its consumer reads. */
enum perf_stack_form {
	/* s->perf->callchain as recorded; s->perf->stack has the unwound user addresses alone. */
	PERF_STACK_AS_RECORDED,
	PERF_STACK_IN_ORDER, /* s->perf->stack has all addresses */
	PERF_STACK_BY_SIDE, /* s->chain, too */
};

/* The answer of perf_decoder_config.filter. */
enum sample_wish {
	SAMPLE_DROP,
	SAMPLE_WITHOUT_STACK, /* nothing is unwound or copied */
	SAMPLE_WITH_STACK,
};

struct perf_decoder_config {
	const struct recording *rec;
	struct tasks *tasks;
	struct sym *sym;
	enum perf_stack_form form;
	size_t max_stack; /* frames of a callchain, and of an unwound stack */
	bool outermost; /* a callchain that is cut keeps its outermost frames, else the innermost */
	/* Asked before a stack is unwound, which takes most of the time. NULL: SAMPLE_WITH_STACK. */
	enum sample_wish (*filter)(void *ctx, const struct sample *s);
	int (*sample)(void *ctx, const struct sample *s);
	void *ctx; /* of both */
};

struct perf_decoder {
	struct perf_decoder_config cfg;
	struct recorded_events events;
	struct stack_dump *stacks;
	struct read_group group;
	struct perf_callchain chain; /* of the record at hand */
	bool has_chain;
	struct strbuf swapped; /* raw data in this machine's byte order */
};

/* cfg is copied; what it points to outlives the decoder. 0 or -ENOMEM. */
int perf_decoder__init(struct perf_decoder *d, const struct perf_decoder_config *cfg);
void perf_decoder__free(struct perf_decoder *d);

/*
 * Fills *ps from a record of type PERF_RECORD_SAMPLE. 0, -EBADMSG or -ENOENT as
 * perf_sample__parse().
 */
int perf_decoder__parse(struct perf_decoder *d, const struct perf_event_header *hdr,
			struct perf_sample *ps);
/*
 * Calls cfg.sample with each sample that the parsed record stands for (read_group.h); the samples
 * are valid during the call. The first value that is not 0, or -ENOMEM.
 */
int perf_decoder__each(struct perf_decoder *d, const struct perf_sample *ps);

#endif
