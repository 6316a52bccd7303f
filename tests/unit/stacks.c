// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* Stacks are told by their id, keep their addresses, and are refused where they are damaged. */
#include "decode/stacks.h"

#include <errno.h>
#include <string.h>

#include <linux/types.h>

#include "bpf/wire.h"
#include "tap.h"

static struct wire_stack_def def_of(uint64_t id, int kern, int user)
{
	struct wire_stack_def def = {
		.head = { .kind = WIRE_STACK_DEF },
		.id = id,
		.kern_sz = (__s16)(kern * 8),
		.user_sz = (__s16)(user * 8),
	};
	int i, cnt = (kern > 0 ? kern : 0) + (user > 0 ? user : 0);

	for (i = 0; i < cnt; i++)
		def.addrs[i] = id * 1000 + (uint64_t)i;
	def.head.sz = (__u16)(offsetof(struct wire_stack_def, addrs) + (size_t)cnt * 8);
	return def;
}

static void test_one(void)
{
	struct stacks st;
	struct wire_stack_def def = def_of(7, 2, 3);
	const struct callchain *c;

	stacks__init(&st, 127);
	ok(stacks__define(&st, &def.head) != NULL, "a stack is taken");
	ok(!stacks__define(&st, &def.head) && !errno, "a stack is defined once");
	c = stacks__get(&st, 7);
	ok(c && c->kern_cnt == 2 && c->user_cnt == 3, "a stack has both sides");
	ok(c && c->kern[1] == 7001 && c->user[0] == 7002, "a stack has its addresses");
	ok(c && !c->truncated, "a stack is not truncated");
	ok(!stacks__get(&st, 8), "an undefined id has no stack");
	ok(!stacks__get(&st, WIRE_STACK_NONE) && !stacks__get(&st, WIRE_STACK_LOST),
	   "ids that stand for no stack have none");
	def = def_of(9, -14, 2);
	ok(stacks__define(&st, &def.head) && stacks__get(&st, 9)->kern_cnt == 0 &&
		   stacks__get(&st, 9)->user[1] == 9001,
	   "an error in place of a size is no stack of that side");
	def = def_of(10, 127, 1);
	ok(stacks__define(&st, &def.head) && stacks__get(&st, 10)->truncated,
	   "a stack of 127 frames is cut");
	stacks__free(&st);
}

static void test_damaged(void)
{
	struct stacks st;
	struct wire_stack_def def = def_of(7, 2, 3);

	stacks__init(&st, 127);
	def.user_sz += 8;
	ok(!stacks__define(&st, &def.head) && errno == EINVAL,
	   "more addresses than bytes: refused");
	def = def_of(7, 2, 3);
	def.head.sz = 20;
	ok(!stacks__define(&st, &def.head) && errno == EINVAL, "shorter than its head");
	def = def_of(7, 2, 3);
	def.head.kind = WIRE_TP;
	ok(!stacks__define(&st, &def.head) && errno == EINVAL, "another kind of record");
	def = def_of(WIRE_STACK_LOST, 2, 3);
	ok(!stacks__define(&st, &def.head) && errno == EINVAL, "an id that stands for none");
	is_u64(st.cnt, 0, "nothing was taken");
	stacks__free(&st);
}

/* So many that blocks and tables grow; the addresses stay where they are. */
static void test_many(void)
{
	const struct callchain *first;
	const uint64_t *addrs = NULL;
	bool same = true;
	struct stacks st;
	uint64_t id;

	stacks__init(&st, 127);
	for (id = 2; id < 50003; id++) {
		struct wire_stack_def def = def_of(id, (int)(id % 5), (int)(id % 7));

		same = same && stacks__define(&st, &def.head);
		if (id == 8)
			addrs = stacks__get(&st, 8)->kern;
	}
	first = stacks__get(&st, 8);
	ok(first && addrs && first->kern == addrs && addrs[0] == 8000,
	   "addresses stay where they are");
	for (id = 2; id < 50003; id++) {
		const struct callchain *c = stacks__get(&st, id);

		same = same && c && c->kern_cnt == id % 5 && c->user_cnt == id % 7 &&
		       (!c->kern_cnt || c->kern[0] == id * 1000) &&
		       (!c->user_cnt ||
			c->user[c->user_cnt - 1] == id * 1000 + c->kern_cnt + c->user_cnt - 1);
	}
	ok(same, "each of 50001 stacks keeps its addresses");
	stacks__free(&st);
}

int main(void)
{
	test_one();
	test_damaged();
	test_many();
	return done_testing();
}
