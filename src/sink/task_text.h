/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * What a format says of the thread of a record, made once for as long as the
 * thread is called so: most records are of few threads.
 */
#ifndef BPFPERF_SINK_TASK_TEXT_H
#define BPFPERF_SINK_TASK_TEXT_H

#include <stdint.h>
#include <string.h>

#include "decode/sample.h"
#include "util/digits.h"
#include "util/strbuf.h"

/* A text is kept where it is at most this long. */
#define TASK_TEXT_TEXT_MAX 160

struct task_text {
	int32_t pid, tid;
	char comm[16];
	uint32_t len; /* 0: free */
	char text[TASK_TEXT_TEXT_MAX + 15]; /* with what digits__copy16() copies behind it */
};

#define TASK_TEXT_CNT 256 /* a power of two: slots, by thread id */

struct task_text_cache {
	struct task_text *slots;
	/* Appends the text of a record's thread. */
	void (*make)(const struct sample *s, struct strbuf *out);
};

/* 0 or -ENOMEM. */
int task_text_cache__init(struct task_text_cache *c,
			  void (*make)(const struct sample *s, struct strbuf *out));
void task_text_cache__free(struct task_text_cache *c);
/* The text goes into its slot, and onto out. */
void task_text_cache__make(struct task_text_cache *c, const struct sample *s, struct strbuf *out);

/* Appends the text of the record's thread. */
static inline void task_text_cache__put(struct task_text_cache *c, const struct sample *s,
					struct strbuf *out)
{
	const struct task_text *who = &c->slots[(uint32_t)s->tid % TASK_TEXT_CNT];

	if (!who->len || who->tid != s->tid || who->pid != s->pid ||
	    strcmp(who->comm, s->comm) != 0) {
		task_text_cache__make(c, s, out);
		return;
	}
	if (strbuf__reserve(out, who->len + 16))
		return;
	digits__copy16(out->buf + out->len, who->text, who->len);
	out->len += who->len;
}

#endif
