// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* The presenter fills the parts that are asked for; chains with an id are named once. */
#include "decode/presenter.h"

#include <string.h>

#include "sym/kallsyms.h"
#include "sym/sym.h"
#include "tap.h"

#define KERN 0xffffffff81000123ull
#define USER 0x400123ull

static const uint64_t kern[] = { KERN, KERN + 8 }, user[] = { USER, USER | CALLCHAIN_GUESSED };

static struct sample sample_of(int32_t pid, uint64_t stack_id, uint16_t user_cnt)
{
	return (struct sample){
		.pid = pid,
		.tid = pid,
		.comm = "task",
		.stack_id = stack_id,
		.chain = { kern, user, 2, user_cnt, false },
	};
}

static const struct named_chain *names_of(struct presenter *p, struct sample s)
{
	if (presenter__complete(p, &s, SAMPLE_KEEP | SAMPLE_NEEDS_NAMES))
		return NULL;
	return s.names;
}

static void test_text(struct presenter *p)
{
	static const uint8_t raw[] = { 1, 2, 0xab };
	const struct event ev = { .name = "made" };
	struct sample s = sample_of(7, 0, 0);

	s.event = &ev;
	s.raw = raw;
	s.raw_sz = sizeof(raw);
	is_s64(presenter__complete(p, &s, SAMPLE_KEEP), 0, "a sample without needs is complete");
	ok(!s.text && !s.names, "parts that no sink needs are not made");
	is_s64(presenter__complete(p, &s, SAMPLE_KEEP | SAMPLE_NEEDS_TEXT), 0, "text is made");
	ok(s.text_len == 8 && !memcmp(s.text, "01 02 ab", 8),
	   "the text of an event without a format is its raw data");
	s.raw = NULL;
	presenter__complete(p, &s, SAMPLE_KEEP | SAMPLE_NEEDS_TEXT);
	is_u64(s.text_len, 0, "a sample without raw data has an empty text");
}

static void test_names(struct presenter *p)
{
	const struct named_chain *first = names_of(p, sample_of(7, 5, 2)), *other;

	if (!ok(first && first->cnt == 4, "a chain has the names of both sides"))
		return;
	ok(first->addrs[0].addr == KERN && !strcmp(first->addrs[0].res.module, "[unknown]"),
	   "an address that nothing is known of has the module unknown");
	ok(!first->addrs[2].is_guessed && first->addrs[3].is_guessed &&
		   first->addrs[3].addr == USER,
	   "a guessed address is marked, and has no mark in itself");
	ok(names_of(p, sample_of(7, 5, 2)) == first, "a chain with an id is named once");
	other = names_of(p, sample_of(8, 5, 2));
	ok(other && other->idx != first->idx, "a chain of another process has its own names");
	other = names_of(p, sample_of(7, 6, 0));
	ok(other && other == names_of(p, sample_of(8, 6, 0)),
	   "a chain of the kernel alone is the same in each process");
	other = names_of(p, sample_of(7, 0, 2));
	ok(other && other->idx == NAMED_ONCE, "a chain without an id is not kept");
}

static void test_no_stack(struct presenter *p)
{
	struct sample s = sample_of(7, 0, 0);

	s.chain.kern_cnt = 0;
	is_s64(presenter__complete(p, &s, SAMPLE_KEEP | SAMPLE_NEEDS_NAMES), 0,
	       "a sample without a stack is completed");
	ok(!s.names, "a sample without a stack has no names");
}

int main(void)
{
	const struct sym_options options = { .offline = true };
	const struct sym_build_id foreign = { .len = 20, .bytes = "kernel-of-elsewhere" };
	const struct recorded_kernel kernel = { .id = &foreign, .text = KERN - 0x123 };
	struct presenter p;
	struct sym *sym = sym__new();

	sym__configure(sym, &options);
	sym__set_recorded_kernel(sym, &kernel);
	is_s64(presenter__init_recorded(&p, sym, NULL), 0, "a presenter is opened");
	test_text(&p);
	test_names(&p);
	test_no_stack(&p);
	presenter__free(&p);
	sym__free(sym);
	return done_testing();
}
