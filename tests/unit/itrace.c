// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* --itrace: its letters, and call stacks from calls and returns. */
#include <errno.h>
#include <string.h>

#include <linux/perf_event.h>

#include "itrace/options.h"
#include "itrace/stacks.h"
#include "tap.h"

static struct itrace_options parsed(const char *letters)
{
	struct itrace_options o;

	if (itrace_options__parse(&o, letters))
		o = (struct itrace_options){ .want = UINT32_MAX };
	return o;
}

static void check_letters(void)
{
	static const char *const bad[] = { "z",   "i10y",   "g",  "g0b", "bg9999", "-",
					   "il0", "il1025", "is", "iy",  "id",     "io",
					   "iq",  "iA",     "iG", "iL" };
	struct itrace_options o = parsed(NULL);
	size_t i;

	ok(o.is_set && o.period == 100000 && o.period_kind == ITRACE_EACH_NS && o.chain_max == 16,
	   "no letters: instructions each 100 us, with callchains");
	ok(o.want & 1 << ITRACE_BRANCH && o.want & 1 << ITRACE_INSN, "no letters: branches, too");
	ok(o.want & 1 << ITRACE_TRANSACTION && parsed("x").want == 1 << ITRACE_TRANSACTION,
	   "x: transactions, which no letters choose, too");
	o = parsed("i1i");
	ok(o.want == 1 << ITRACE_INSN && o.period == 1 && o.period_kind == ITRACE_EACH_INSN,
	   "i1i: each instruction");
	o = parsed("i20usg4");
	ok(o.period == 20000 && o.period_kind == ITRACE_EACH_NS && o.chain_max == 4,
	   "i20usg4: each 20 us, four frames");
	o = parsed("i300tb");
	ok(o.period == 300 && o.period_kind == ITRACE_EACH_TICK, "i300t: each 300 ticks");
	ok(o.want == (1 << ITRACE_INSN | 1 << ITRACE_BRANCH), "i300tb: branches, too");
	o = parsed("i0");
	ok(o.period == 1 && o.period_kind == ITRACE_EACH_INSN, "i0: each instruction, as in perf");
	o = parsed("cre");
	ok(o.want == (1 << ITRACE_CALL | 1 << ITRACE_RETURN | 1 << ITRACE_ERROR),
	   "cre: calls, returns, gaps");
	o = parsed("i1il");
	ok(o.last_max == 64 && !o.skip_cnt, "l: the 64 branches before a sample");
	o = parsed("i1ils7");
	ok(o.last_max == 64 && o.skip_cnt == 7, "s7: seven samples are left out");
	o = parsed("bl, 16Z");
	ok(o.last_max == 16 && o.want == 1 << ITRACE_BRANCH, "l, 16: sixteen; Z has no effect");
	for (i = 0; i < sizeof(bad) / sizeof(*bad); i++)
		ok(parsed(bad[i]).want == UINT32_MAX, "\"%s\" is refused as letters", bad[i]);
}

static struct itrace_change branch(struct itrace_stacks *s, uint64_t from, uint64_t to,
				   uint32_t flags)
{
	const struct itrace_item item = {
		.ip = from,
		.to = to,
		.tid = 7,
		.flags = flags | ITRACE_FLAG_BRANCH,
		.insn_len = 5,
	};
	struct itrace_change change;

	ok(!itrace_stacks__branch(s, &item, &change), "a branch to %llx is followed",
	   (unsigned long long)to);
	return change;
}

static void check_stacks(void)
{
	const uint32_t call = ITRACE_FLAG_CALL, ret = ITRACE_FLAG_RETURN;
	struct itrace_stacks s;
	struct itrace_change c;
	uint64_t chain[32];
	uint32_t n;

	itrace_stacks__init(&s, 0);
	c = branch(&s, 0x1000, 0x2000, call);
	ok(c.pushed == 1 && !c.popped, "a call enters a frame");
	c = branch(&s, 0x2000, 0x2005, call);
	ok(!c.pushed, "a call of the next instruction enters none");
	branch(&s, 0x2010, 0x3000, call);
	branch(&s, 0x3010, 0xffffffff80000000, call | ITRACE_FLAG_ASYNC | ITRACE_FLAG_INTERRUPT);
	n = itrace_stacks__chain(&s, 7, 0xffffffff80000010, 8, chain);
	ok(n == 6 && chain[0] == PERF_CONTEXT_KERNEL && chain[1] == 0xffffffff80000010 &&
		   chain[2] == PERF_CONTEXT_USER && chain[3] == 0x3010 && chain[4] == 0x2015 &&
		   chain[5] == 0x1005,
	   "the callchain goes from the kernel to the caller's caller");
	ok(itrace_stacks__chain(&s, 7, 0x3000, 2, chain) == 3, "a callchain has at most N frames");
	c = branch(&s, 0xffffffff80000020, 0x3010, ret | ITRACE_FLAG_INTERRUPT);
	ok(c.popped == 1, "a return leaves its frame");
	c = branch(&s, 0x3020, 0x9000, ret);
	ok(!c.popped, "a return to an unknown place leaves none");
	c = branch(&s, 0x3020, 0x1005, ret);
	ok(c.popped == 2, "a return past a frame leaves both");
	branch(&s, 0x1000, 0x2000, call);
	ok(itrace_stacks__forget(&s, 7) == 1 && !itrace_stacks__forget(&s, 7),
	   "a gap forgets the frames of its thread");
	branch(&s, 0x1000, 0x2000, call);
	ok(!itrace_stacks__forget(&s, 9) && itrace_stacks__forget(&s, -1) == 1,
	   "a gap of an unknown thread forgets the frames of all");
	for (n = 0; n < ITRACE_STACK_MAX + 10; n++) {
		const struct itrace_item item = {
			.ip = n * 16, .to = 0x100000, .tid = 8, .flags = call, .insn_len = 5
		};

		itrace_stacks__branch(&s, &item, &c);
	}
	ok(itrace_stacks__forget(&s, 8) == ITRACE_STACK_MAX, "a stack has a largest depth");
	itrace_stacks__free(&s);
}

static void check_last(void)
{
	struct itrace_stacks s;
	struct itrace_last last[4];
	struct itrace_item item = { .tid = 7 };
	uint64_t i;

	itrace_stacks__init(&s, 4);
	ok(itrace_stacks__last(&s, 7, last) == 0, "a thread without branches has none");
	for (i = 1; i <= 6; i++) {
		item.ip = i;
		item.to = i * 16;
		item.flags = i == 6 ? ITRACE_FLAG_IN_TX : i == 5 ? ITRACE_FLAG_TX_ABORT : 0;
		itrace_stacks__keep(&s, &item);
	}
	ok(itrace_stacks__last(&s, 7, last) == 4 && last[0].from == 6 && last[0].to == 96 &&
		   last[3].from == 3,
	   "the newest branches are kept, newest first");
	ok(last[0].flags == 1 << 2 && last[1].flags == 1 << 3 && !last[2].flags,
	   "transactions have bits of their own, as in perf");
	itrace_stacks__forget(&s, 7);
	ok(itrace_stacks__last(&s, 7, last) == 0, "a gap forgets them");
	itrace_stacks__free(&s);
}

int main(void)
{
	check_letters();
	check_stacks();
	check_last();
	return done_testing();
}
