/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * The text that a format prints for a record's thread, cached as long as the thread keeps its name:
 * most records belong to few threads.
 */
#ifndef BPFPERF_SINK_TASK_TEXT_H
#define BPFPERF_SINK_TASK_TEXT_H

#include <stdint.h>
#include <string.h>

#include "decode/sample.h"
#include "util/digits.h"
#include "util/strbuf.h"

/* Longest text that is cached. */
#define TASK_TEXT_TEXT_MAX 160

struct task_text {
	int32_t pid, tid;
	char comm[16];
	uint32_t len; /* 0: the slot is free */
	/* includes the bytes that digits__copy16() copies behind the text */
	char text[TASK_TEXT_TEXT_MAX + 15];
};

#define TASK_TEXT_CNT 256 /* a power of two: number of slots, by thread id */

struct task_text_cache {
	struct task_text *slots;
	/* Appends the text of a record's thread. */
	void (*make)(const struct sample *s, struct strbuf *out);
};

/* 0 or -ENOMEM. */
int task_text_cache__init(struct task_text_cache *c,
			  void (*make)(const struct sample *s, struct strbuf *out));
void task_text_cache__free(struct task_text_cache *c);
/* Makes the text, stores it in its slot, and appends it to out. */
void task_text_cache__make(struct task_text_cache *c, const struct sample *s, struct strbuf *out);

/* Appends the cached text of the record's thread. */
static inline void task_text_cache__put(struct task_text_cache *c, const struct sample *s,
					struct strbuf *out)
{
	const struct task_text *slot = &c->slots[(uint32_t)s->tid % TASK_TEXT_CNT];

	if (!slot->len || slot->tid != s->tid || slot->pid != s->pid ||
	    strcmp(slot->comm, s->comm) != 0) {
		task_text_cache__make(c, s, out);
		return;
	}
	if (strbuf__reserve(out, slot->len + 16))
		return;
	digits__copy16(out->buf + out->len, slot->text, slot->len);
	out->len += slot->len;
}

#endif
