/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * A recording of whatever content read to its end: every field of every
 * sample touched, the text of some tracepoints printed. For the fuzzers.
 */
#ifndef BPFPERF_TESTS_RECORDING_TOUCH_H
#define BPFPERF_TESTS_RECORDING_TOUCH_H

#include <stdlib.h>
#include <string.h>

#include "data/perf_sample.h"
#include "data/recording.h"
#include "decode/print.h"
#include "decode/raw_swap.h"
#include "source/file.h"

struct reading {
	struct recording *rec;
	struct printer *printer;
	struct strbuf text;
	uint64_t sum, records, features;
	unsigned int text_left; /* formats are parsed anew for each input: not all are printed */
};

static void touch_words(struct reading *r, const struct perf_words *w)
{
	uint64_t i;

	for (i = 0; i < w->cnt; i++)
		r->sum += perf_words__get(w, i);
}

static void touch_bytes(struct reading *r, const uint8_t *p, uint64_t sz)
{
	uint64_t i;

	for (i = 0; i < sz; i++)
		r->sum += p[i];
}

static void touch_text(struct reading *r, const struct perf_sample *s)
{
	uint8_t *raw;

	if (!r->text_left || !s->raw || !s->event->fmt)
		return;
	r->text_left--;
	raw = malloc(s->raw_sz);
	memcpy(raw, s->raw, s->raw_sz);
	if (s->swap)
		raw_swap(s->event->fmt, raw, s->raw_sz);
	strbuf__reset(&r->text);
	printer__print(r->printer, s->event->fmt, raw, s->raw_sz, &r->text);
	free(raw);
}

static uint64_t time_of(void *ctx, const struct perf_event_header *hdr)
{
	struct reading *r = ctx;

	return perf_sample__time(&r->rec->attrs, r->rec->swap, hdr);
}

static int on_record(void *ctx, const struct record *rec)
{
	struct reading *r = ctx;
	struct perf_sample s;
	int err = perf_sample__parse(&s, &r->rec->attrs, r->rec->swap, rec->hdr);

	r->records++;
	r->features |= 1ULL << (rec->hdr->type < 40 ? rec->hdr->type : 40 + rec->hdr->type % 8);
	if (!err)
		r->features |= 1ULL << (48 + __builtin_popcountll(s.have) % 16);
	touch_bytes(r, (const uint8_t *)rec->hdr, rec->hdr->size);
	touch_words(r, &s.read);
	touch_words(r, &s.callchain);
	touch_words(r, &s.branches);
	touch_words(r, &s.branch_counters);
	touch_words(r, &s.user_regs);
	touch_words(r, &s.intr_regs);
	touch_bytes(r, s.raw, s.raw_sz);
	touch_bytes(r, s.user_stack, s.user_stack_sz);
	touch_bytes(r, s.aux, s.aux_sz);
	if (!err)
		touch_text(r, &s);
	return 0;
}

/* Reads the recording at `path`; the caller sets r->text_left. False where it is no recording. */
static bool reading__do(struct reading *r, const char *path)
{
	struct source *src;
	size_t i;

	r->rec = recording__open(path);
	if (!r->rec)
		return false;
	if (r->text_left)
		r->printer = printer__new();
	src = file_source__new(r->rec, time_of, r);
	source__drain(src, true, on_record, r);
	source__free(src);
	/* Whatever became of it, each event has its name. */
	for (i = 0; i < r->rec->attrs.cnt; i++)
		r->sum += strlen(r->rec->attrs.events[i].name);
	printer__free(r->printer);
	strbuf__free(&r->text);
	recording__close(r->rec);
	return true;
}

#endif
