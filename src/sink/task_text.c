// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "sink/task_text.h"

#include <errno.h>
#include <stdlib.h>

int task_text_cache__init(struct task_text_cache *c,
			  void (*make)(const struct sample *s, struct strbuf *out))
{
	c->make = make;
	c->slots = calloc(TASK_TEXT_CNT, sizeof(*c->slots));
	return c->slots ? 0 : -ENOMEM;
}

void task_text_cache__free(struct task_text_cache *c)
{
	free(c->slots);
	c->slots = NULL;
}

void task_text_cache__make(struct task_text_cache *c, const struct sample *s, struct strbuf *out)
{
	struct task_text *slot = &c->slots[(uint32_t)s->tid % TASK_TEXT_CNT];
	size_t start = out->len, len = strlen(s->comm);

	c->make(s, out);
	slot->len = 0;
	if (len >= sizeof(slot->comm) || out->len - start > TASK_TEXT_TEXT_MAX || out->len == start)
		return;
	slot->pid = s->pid;
	slot->tid = s->tid;
	memcpy(slot->comm, s->comm, len + 1);
	memcpy(slot->text, out->buf + start, out->len - start);
	slot->len = (uint32_t)(out->len - start);
}
