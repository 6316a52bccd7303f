// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "itrace/stacks.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <linux/perf_event.h>

#include "util/array.h"

void itrace_stacks__init(struct itrace_stacks *s, uint32_t last_max)
{
	*s = (struct itrace_stacks){ .by_tid = U64MAP_INIT, .last_max = last_max };
}

void itrace_stacks__free(struct itrace_stacks *s)
{
	size_t i;

	for (i = 0; i < s->cnt; i++) {
		free(s->stacks[i]->last);
		free(s->stacks[i]);
	}
	free(s->stacks);
	u64map__free(&s->by_tid);
	itrace_stacks__init(s, 0);
}

static struct itrace_stack *find(const struct itrace_stacks *s, int32_t tid)
{
	uint32_t idx = u64map__get(&s->by_tid, (uint32_t)tid);

	return idx < s->cnt ? s->stacks[idx] : NULL;
}

static struct itrace_stack *find_or_add(struct itrace_stacks *s, int32_t tid)
{
	struct itrace_stack *stack = find(s, tid);
	uint32_t *slot;

	if (stack)
		return stack;
	slot = u64map__slot(&s->by_tid, (uint32_t)tid);
	if (!slot || array__reserve((void **)&s->stacks, &s->cap, s->cnt + 1, sizeof(*s->stacks)))
		return NULL;
	stack = calloc(1, sizeof(*stack));
	if (!stack)
		return NULL;
	*slot = (uint32_t)s->cnt;
	s->stacks[s->cnt++] = stack;
	return stack;
}

static void push(struct itrace_stack *stack, uint64_t to)
{
	if (stack->cnt == ITRACE_STACK_MAX) {
		memmove(stack->returns, stack->returns + 1,
			(ITRACE_STACK_MAX - 1) * sizeof(*stack->returns));
		stack->cnt--;
	}
	stack->returns[stack->cnt++] = to;
}

/* Leaves the frames up to the one that returns to this address: longjmp() leaves several. */
static uint32_t pop(struct itrace_stack *stack, uint64_t to)
{
	uint32_t i = stack->cnt, popped;

	while (i && stack->returns[i - 1] != to)
		i--;
	if (!i)
		return 0;
	popped = stack->cnt - (i - 1);
	stack->cnt = i - 1;
	return popped;
}

static void follow(struct itrace_stack *stack, const struct itrace_item *item,
		   struct itrace_change *change)
{
	/* A call out of the trace comes back to where it was made. */
	if (!item->to)
		return;
	if (item->flags & ITRACE_FLAG_CALL) {
		/* A call of the next instruction is no call: it loads an address. */
		if (item->to == item->ip + item->insn_len && !(item->flags & ITRACE_FLAG_ASYNC))
			return;
		push(stack, item->flags & ITRACE_FLAG_ASYNC ? item->ip : item->ip + item->insn_len);
		change->pushed = 1;
	} else if (item->flags & ITRACE_FLAG_RETURN) {
		change->popped = pop(stack, item->to);
	}
}

int itrace_stacks__branch(struct itrace_stacks *s, const struct itrace_item *item,
			  struct itrace_change *change)
{
	struct itrace_stack *stack = find_or_add(s, item->tid);

	*change = (struct itrace_change){ 0 };
	if (!stack)
		return -ENOMEM;
	follow(stack, item, change);
	change->depth = stack->cnt;
	return 0;
}

uint32_t itrace_stacks__forget(struct itrace_stacks *s, int32_t tid)
{
	struct itrace_stack *stack = find(s, tid);
	uint32_t cnt = stack ? stack->cnt : 0;
	size_t i;

	if (stack)
		stack->cnt = stack->last_cnt = 0;
	for (i = 0; tid < 0 && i < s->cnt; i++) {
		cnt += s->stacks[i]->cnt;
		s->stacks[i]->cnt = s->stacks[i]->last_cnt = 0;
	}
	return cnt;
}

uint32_t itrace_stacks__chain(const struct itrace_stacks *s, int32_t tid, uint64_t ip, uint32_t max,
			      uint64_t *chain)
{
	const struct itrace_stack *stack = find(s, tid);
	uint32_t left = stack ? stack->cnt : 0, cnt = 0, frames = 0;
	uint64_t addr = ip, side = 0, this_side;

	for (;;) {
		this_side = addr >> 63 ? PERF_CONTEXT_KERNEL : PERF_CONTEXT_USER;
		if (this_side != side)
			chain[cnt++] = side = this_side;
		chain[cnt++] = addr;
		if (++frames == max || !left)
			return cnt;
		addr = stack->returns[--left];
	}
}

int itrace_stacks__keep(struct itrace_stacks *s, const struct itrace_item *item)
{
	struct itrace_stack *stack = find_or_add(s, item->tid);

	if (stack && !stack->last)
		stack->last = calloc(s->last_max, sizeof(*stack->last));
	if (!stack || !stack->last)
		return -ENOMEM;
	stack->last[stack->last_at] = (struct itrace_last){
		item->ip,
		item->to,
		(item->flags & ITRACE_FLAG_IN_TX ? 1u << 2 : 0) |
			(item->flags & ITRACE_FLAG_TX_ABORT ? 1u << 3 : 0),
	};
	stack->last_at = (stack->last_at + 1) % s->last_max;
	if (stack->last_cnt < s->last_max)
		stack->last_cnt++;
	return 0;
}

uint32_t itrace_stacks__last(const struct itrace_stacks *s, int32_t tid, struct itrace_last *last)
{
	const struct itrace_stack *stack = find(s, tid);
	uint32_t i, at;

	if (!stack || !stack->last)
		return 0;
	for (i = 0, at = stack->last_at; i < stack->last_cnt; i++) {
		at = at ? at - 1 : s->last_max - 1;
		last[i] = stack->last[at];
	}
	return stack->last_cnt;
}
