// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "decode/deferred_chains.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "util/hash.h"

/* linux/perf_event.h of 6.19: the last word but one of a callchain; the last is the cookie. */
#define CONTEXT_USER_DEFERRED ((uint64_t)-640)

bool deferred_chains__is_open(const struct perf_sample *s, uint64_t *cookie)
{
	uint64_t cnt = s->callchain.cnt;

	if (cnt < 2 || perf_words__get(&s->callchain, cnt - 2) != CONTEXT_USER_DEFERRED)
		return false;
	*cookie = perf_words__get(&s->callchain, cnt - 1);
	return true;
}

static struct deferred_bucket *bucket_of(struct deferred_chains *d, uint32_t tid)
{
	return &d->buckets[hash__table_word(tid) % DEFERRED_BUCKETS];
}

int deferred_chains__hold(struct deferred_chains *d, const struct perf_event_header *hdr,
			  uint32_t tid, uint64_t cookie)
{
	struct deferred_sample *held = malloc(sizeof(*held) + hdr->size);
	struct deferred_bucket *b = bucket_of(d, tid);

	if (!held)
		return -ENOMEM;
	*held = (struct deferred_sample){ .older = d->newest, .cookie = cookie, .tid = tid };
	memcpy(held->hdr, hdr, hdr->size);
	if (b->first)
		*b->end = held;
	else
		b->first = held;
	b->end = &held->next;
	if (d->newest)
		d->newest->newer = held;
	else
		d->oldest = held;
	d->newest = held;
	d->sz += sizeof(*held) + hdr->size;
	return 0;
}

/* `at` points to the sample, in the bucket. */
static struct deferred_sample *take(struct deferred_chains *d, struct deferred_bucket *b,
				    struct deferred_sample **at)
{
	struct deferred_sample *held = *at;

	*at = held->next;
	if (b->end == &held->next)
		b->end = at;
	if (held->older)
		held->older->newer = held->newer;
	else
		d->oldest = held->newer;
	if (held->newer)
		held->newer->older = held->older;
	else
		d->newest = held->older;
	d->sz -= sizeof(*held) + held->hdr->size;
	return held;
}

struct deferred_sample *deferred_chains__take(struct deferred_chains *d, uint32_t tid)
{
	struct deferred_bucket *b = bucket_of(d, tid);
	struct deferred_sample **at = &b->first;

	while (*at && (*at)->tid != tid)
		at = &(*at)->next;
	return *at ? take(d, b, at) : NULL;
}

struct deferred_sample *deferred_chains__expire(struct deferred_chains *d, bool all)
{
	size_t max_sz = d->max_sz ? d->max_sz : DEFERRED_MAX_SZ;
	struct deferred_bucket *b;

	if (!d->oldest || (!all && d->sz <= max_sz))
		return NULL;
	/* The oldest of all is the first of its bucket. */
	b = bucket_of(d, d->oldest->tid);
	return take(d, b, &b->first);
}

bool deferred_chains__parse(const struct perf_event_header *hdr, uint64_t *cookie,
			    struct perf_words *user)
{
	uint64_t body[2];

	if (hdr->size < sizeof(*hdr) + sizeof(body))
		return false;
	memcpy(body, hdr + 1, sizeof(body));
	*cookie = body[0];
	*user = (struct perf_words){ .p = (const uint8_t *)(hdr + 1) + sizeof(body),
				     .cnt = body[1] };
	return user->cnt <= (hdr->size - sizeof(*hdr) - sizeof(body)) / 8;
}

void deferred_chains__join(struct deferred_chains *d, struct perf_sample *s,
			   const struct perf_words *user)
{
	const uint64_t cnt = s->callchain.cnt;
	uint64_t i, word;

	strbuf__reset(&d->words);
	if (strbuf__reserve(&d->words, (cnt + user->cnt) * sizeof(word)))
		return;
	for (i = 0; i + 2 < cnt; i++) {
		word = perf_words__get(&s->callchain, i);
		strbuf__add(&d->words, &word, sizeof(word));
	}
	word = PERF_CONTEXT_USER;
	strbuf__add(&d->words, &word, sizeof(word));
	for (i = 0; i < user->cnt; i++) {
		word = perf_words__get(user, i);
		strbuf__add(&d->words, &word, sizeof(word));
	}
	s->callchain = (struct perf_words){ .p = (const uint8_t *)d->words.buf,
					    .cnt = d->words.len / sizeof(word) };
}

void deferred_chains__free(struct deferred_chains *d)
{
	struct deferred_sample *held;

	while ((held = deferred_chains__expire(d, true)))
		free(held);
	strbuf__free(&d->words);
}
