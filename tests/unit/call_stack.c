// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* Callchains whose user part is the processor's stack of calls. */
#include "decode/call_stack.h"

#include "tap.h"

#define KERNEL ((uint64_t)PERF_CONTEXT_KERNEL)
#define USER ((uint64_t)PERF_CONTEXT_USER)

static const uint64_t branches[] = { 0x401, 0x500, 0, 0x301, 0x400, 0, 0x201, 0x300, 0 };

static struct perf_words words_of(const uint64_t *words, uint64_t cnt)
{
	return (struct perf_words){ .p = (const uint8_t *)words, .cnt = cnt };
}

/* Checks that a callchain becomes `want`, of cnt words. */
static void check(const uint64_t *chain, uint64_t chain_cnt, uint64_t kind, const uint64_t *want,
		  uint64_t cnt, const char *name)
{
	const struct recorded_event event = { .attr.branch_sample_type = kind };
	struct perf_sample s = { .event = &event,
				 .callchain = words_of(chain, chain_cnt),
				 .branches = words_of(branches, 9) };
	struct strbuf words = STRBUF_INIT;
	uint64_t i, bad = 0;

	call_stack__join(&s, &words);
	is_u64(s.callchain.cnt, cnt, "%s: number of words", name);
	for (i = 0; i < cnt && i < s.callchain.cnt; i++)
		bad += perf_words__get(&s.callchain, i) != want[i];
	is_u64(bad, 0, "%s: each word", name);
	strbuf__free(&words);
}

static void test_join(void)
{
	static const uint64_t both[] = { KERNEL, 0xff01, 0xff02, USER, 0x50a, 0x7777 };
	static const uint64_t joined[] = {
		KERNEL, 0xff01, 0xff02, USER, 0x50a, 0x401, 0x301, 0x201
	};
	static const uint64_t user[] = { USER, 0x50a }, kernel[] = { KERNEL, 0xff01 };
	static const uint64_t bare[] = { USER }, from_bare[] = { USER, 0x401, 0x301, 0x201 };
	const uint64_t stack = PERF_SAMPLE_BRANCH_USER | PERF_SAMPLE_BRANCH_CALL_STACK;

	check(both, 6, stack, joined, 8, "a kernel part and a user part");
	check(user, 2, stack, joined + 3, 5, "a user part alone");
	check(kernel, 2, stack, kernel, 2, "a kernel part alone stays");
	check(bare, 1, stack, from_bare, 4, "a user part without addresses");
	check(both, 6, PERF_SAMPLE_BRANCH_USER, both, 6, "other branches are no stack of calls");
	check(both, 0, stack, both, 0, "no callchain stays none");
}

int main(void)
{
	test_join();
	return done_testing();
}
