// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "span/match.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "util/array.h"

struct span_waiting {
	uint64_t start_ns; /* 0: none waits */
	uint32_t pair;
	uint64_t from[WIRE_SPAN_ROW];
};

void span_match__free(struct span_match *m)
{
	u64map__free(&m->by_key);
	free(m->at);
	memset(m, 0, sizeof(*m));
}

static uint64_t key_of(const struct wire_span *span, unsigned int words)
{
	uint64_t key = 0;
	unsigned int i;

	for (i = 0; i < words && i < WIRE_SPAN_MATCH; i++)
		key = u64map__mix(key ^ span->match[i]);
	return key;
}

static struct span_account *account_of(struct span_match *m, const struct wire_span *span)
{
	return &m->accounts[span->match[0] % WIRE_SPAN_PAIRS];
}

int span_match__begin(struct span_match *m, const struct wire_span *span, unsigned int words,
		      uint64_t time_ns)
{
	uint32_t *slot = u64map__slot(&m->by_key, key_of(span, words));
	struct span_account *a = account_of(m, span);
	struct span_waiting *w;

	if (!slot)
		return -ENOMEM;
	if (*slot == U64MAP_NONE) {
		if (array__reserve((void **)&m->at, &m->cap, m->cnt + 1, sizeof(*m->at)))
			return -ENOMEM;
		*slot = (uint32_t)m->cnt;
		m->at[m->cnt++] = (struct span_waiting){};
	}
	w = &m->at[*slot];
	a->starts++;
	a->overwritten += w->start_ns != 0;
	if (w->start_ns && span->flags & WIRE_SPAN_FIRST)
		return 0;
	w->start_ns = time_ns;
	w->pair = (uint32_t)span->match[0];
	memcpy(w->from, span->from, sizeof(w->from));
	return 0;
}

int span_match__end(struct span_match *m, struct wire_span *span, unsigned int words,
		    uint64_t time_ns, uint64_t *ns)
{
	uint32_t idx = u64map__get(&m->by_key, key_of(span, words));
	struct span_waiting *w = idx == U64MAP_NONE ? NULL : &m->at[idx];
	struct span_account *a = account_of(m, span);
	unsigned int i;

	a->ends++;
	if (!w || !w->start_ns) {
		a->without_start++;
		return 0;
	}
	a->matched++;
	*ns = time_ns > w->start_ns ? time_ns - w->start_ns : 0;
	for (i = WIRE_SPAN_REST; i < WIRE_SPAN_ROW; i++)
		span->row[i] |= w->from[i];
	w->start_ns = 0;
	return 1;
}

void span_match__finish(struct span_match *m)
{
	size_t i;

	for (i = 0; i < m->cnt; i++)
		m->accounts[m->at[i].pair % WIRE_SPAN_PAIRS].waiting += m->at[i].start_ns != 0;
}
