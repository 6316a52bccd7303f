// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "decode/call_stack.h"

/* from, to, flags */
#define BRANCH_WORDS 3

static bool has_call_stack(const struct perf_sample *s)
{
	return s->branches.cnt && s->event &&
	       s->event->attr.branch_sample_type & PERF_SAMPLE_BRANCH_CALL_STACK;
}

static void put_word(struct strbuf *words, uint64_t word)
{
	strbuf__add(words, &word, sizeof(word));
}

void call_stack__join(struct perf_sample *s, struct strbuf *words)
{
	uint64_t i = 0, word = 0, at;

	if (!has_call_stack(s))
		return;
	strbuf__reset(words);
	for (; i < s->callchain.cnt && word != PERF_CONTEXT_USER; i++) {
		word = perf_words__get(&s->callchain, i);
		put_word(words, word);
	}
	/* Without a user part the kernel did not ask for one: exclude_callchain_user. */
	if (word != PERF_CONTEXT_USER)
		return;
	if (i < s->callchain.cnt && perf_words__get(&s->callchain, i) < PERF_CONTEXT_MAX)
		put_word(words, perf_words__get(&s->callchain, i));
	for (at = 0; at + BRANCH_WORDS <= s->branches.cnt; at += BRANCH_WORDS)
		put_word(words, perf_words__get(&s->branches, at));
	if (strbuf__has_failed())
		return;
	s->callchain = (struct perf_words){ .p = (const uint8_t *)words->buf,
					    .cnt = words->len / sizeof(word) };
}
