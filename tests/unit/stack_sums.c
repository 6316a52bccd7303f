// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* Stacks of equal names at several addresses; the program that a profile is of. */
#include "profile/stack_sums.h"

#include <unistd.h>

#include "tap.h"

__attribute__((noinline)) static int outer(int x)
{
	__asm__ volatile("nop; nop" ::: "memory");
	return x * 3;
}

__attribute__((noinline)) static int inner(int x)
{
	__asm__ volatile("nop; nop" ::: "memory");
	return x * 7;
}

#define AT(fn, off) ((uint64_t)(uintptr_t)(fn) + (off))

static void add(struct profile *p, const char *comm, uint64_t inner_off, uint64_t outer_off,
		uint16_t cnt, bool truncated)
{
	const uint64_t chain[] = { AT(inner, inner_off), AT(outer, outer_off) };
	const struct sample s = {
		.pid = getpid(),
		.tid = getpid(),
		.comm = comm,
		.period = 10,
		.chain.user = chain,
		.chain.user_cnt = cnt,
		.chain.truncated = truncated,
	};

	is_s64(profile__add(p, &s), 0, "%s: a stack of %u functions is added", comm, cnt);
}

static void test_sums(struct sym *sym)
{
	struct stack_sums sums;
	struct profile p;

	profile__init(&p, sym, PROFILE_BY_COMM);
	add(&p, "a", 1, 2, 2, false); /* 0 */
	add(&p, "b", 1, 2, 2, false); /* 1: another thread */
	add(&p, "a", 2, 2, 2, false); /* 2: as 0, elsewhere in inner */
	add(&p, "a", 1, 1, 1, false); /* 3: without its caller */
	add(&p, "a", 1, 2, 2, true); /* 4: cut */
	add(&p, "a", 2, 1, 2, false); /* 5: as 0, elsewhere in both */
	add(&p, "a", 1, 2, 2, false); /* 0 once more */
	is_u64(p.stack_cnt, 6, "stacks by their addresses");
	is_s64(profile__look_up_all(&p), 0, "all locations are looked up");
	is_s64(stack_sums__make(&sums, &p), 0, "stacks of equal names are found");
	ok(sums.is_head[0] && sums.is_head[1] && sums.is_head[3] && sums.is_head[4],
	   "stacks that differ begin a list");
	ok(!sums.is_head[2] && !sums.is_head[5], "stacks of equal names do not");
	is_u64(sums.next[0], 2, "the first list goes on");
	is_u64(sums.next[2], 5, "the first list, in the order of the stacks");
	is_u64(sums.next[5], STACK_SUMS_END, "the first list ends");
	is_u64(sums.next[1], STACK_SUMS_END, "another thread's name is another stack");
	is_u64(p.locs[p.frames[p.stacks[2].at]].func_off, 2, "offset in the function");
	stack_sums__free(&sums);
	profile__free(&p);
}

static void test_program(struct sym *sym)
{
	char path[4096];
	ssize_t len = readlink("/proc/self/exe", path, sizeof(path) - 1);
	struct profile p;

	path[len > 0 ? len : 0] = '\0';
	profile__init(&p, sym, PROFILE_BY_COMM);
	is_u64(p.program, 0, "without samples there is no program");
	add(&p, "a", 1, 2, 2, false);
	is_str(sym__path(sym, p.program), path, "the program with the most samples");
	profile__free(&p);
}

int main(void)
{
	struct sym *sym = sym__new();

	test_sums(sym);
	test_program(sym);
	is_s64(outer(1) + inner(1), 10, "the functions are used");
	sym__free(sym);
	return done_testing();
}
