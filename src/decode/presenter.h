/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * The last stage before the sink: completes a sample by the parts that its sink needs, so that no
 * sink asks a stage before it.
 */
#ifndef BPFPERF_DECODE_PRESENTER_H
#define BPFPERF_DECODE_PRESENTER_H

#include <errno.h>

#include "decode/chain_names.h"
#include "decode/line_names.h"
#include "decode/print.h"
#include "decode/sample.h"
#include "event/event.h"
#include "util/strbuf.h"

struct branch_code;
struct sym;

struct presenter {
	struct printer *printer;
	struct strbuf text; /* sample.text of the current sample */
	struct chain_names chains;
	struct line_names lines;
	struct branch_code *code; /* NULL: not needed yet */
	uint64_t max_blocks; /* SAMPLE_NEEDS_CODE: pieces between branches; 0: all */
};

/*
 * Initializes p for records of this machine; sym names addresses, and outlives p. 0 or -ENOMEM.
 */
int presenter__init(struct presenter *p, struct sym *sym);
/*
 * Initializes p for records of a recording with the constant strings printk_formats (NULL: unknown,
 * their addresses are printed). 0 or -ENOMEM.
 */
int presenter__init_recorded(struct presenter *p, struct sym *sym, const char *printk_formats);
/* Safe for a zeroed presenter. */
void presenter__free(struct presenter *p);

/* Names the sample's addresses. 0 or -ENOMEM. */
int presenter__name(struct presenter *p, struct sample *s, unsigned int needs);
/* Puts the raw data of an event without a format, in hex. */
void presenter__put_hex(const struct sample *s, struct strbuf *out);

/*
 * Fills the parts of *s that `needs` (enum sample_need) names; they are valid until the next call.
 * 0 or -ENOMEM.
 */
static inline int presenter__complete(struct presenter *p, struct sample *s, unsigned int needs)
{
	const unsigned int all_names = SAMPLE_NEEDS_NAMES | SAMPLE_NEEDS_LINES | SAMPLE_NEEDS_IP |
				       SAMPLE_NEEDS_BRANCHES | SAMPLE_NEEDS_CODE |
				       SAMPLE_NEEDS_PLACE;

	if (needs & all_names && presenter__name(p, s, needs))
		return -ENOMEM;
	if (!(needs & SAMPLE_NEEDS_TEXT))
		return 0;
	strbuf__reset(&p->text);
	if (s->raw && !s->event->fmt)
		presenter__put_hex(s, &p->text);
	else if (s->raw && printer__print(p->printer, s->event->fmt, s->raw, s->raw_sz, &p->text))
		return -ENOMEM;
	s->text = p->text.buf;
	s->text_len = (uint32_t)p->text.len;
	return 0;
}

#endif
