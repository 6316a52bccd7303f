// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "profile/stack_sums.h"

#include <errno.h>
#include <stdlib.h>

/* A position in a stack: one function of one frame, from the outermost inwards. */
struct cursor {
	const struct profile *p;
	const struct profile_stack *st;
	size_t left; /* frames that were not begun */
	uint32_t at, end; /* the current frame's functions, indexes into profile.loc_funcs */
};

/* Moves to the next function. NULL: there are no more. */
static const struct profile_func *next_func(struct cursor *c)
{
	while (c->at == c->end) {
		const struct profile_loc *l;

		if (!c->left)
			return NULL;
		l = &c->p->locs[c->p->frames[c->st->at + --c->left]];
		c->at = l->func;
		c->end = l->func + l->func_cnt;
	}
	return &c->p->funcs[c->p->loc_funcs[c->at++]];
}

static struct cursor cursor_of(const struct profile *p, const struct profile_stack *st)
{
	return (struct cursor){ .p = p, .st = st, .left = profile_stack__depth(st) };
}

static uint64_t hash_names(const struct profile *p, const struct profile_stack *st)
{
	uint64_t h = u64map__mix((uint64_t)st->group[0] << 32 | st->group[1]);
	struct cursor c = cursor_of(p, st);
	const struct profile_func *f;

	h ^= (uint64_t)st->event << 1 | st->truncated;
	while ((f = next_func(&c)))
		h = u64map__mix(h ^ ((uint64_t)f->name << 1 | f->kern)) + 1;
	return h;
}

static bool looks_alike(const struct profile *p, const struct profile_stack *a,
			const struct profile_stack *b)
{
	struct cursor ca = cursor_of(p, a), cb = cursor_of(p, b);
	const struct profile_func *fa, *fb;

	if (a->group[0] != b->group[0] || a->group[1] != b->group[1] || a->event != b->event ||
	    a->truncated != b->truncated)
		return false;
	do {
		fa = next_func(&ca);
		fb = next_func(&cb);
		if (!fa || !fb)
			return fa == fb;
	} while (fa->name == fb->name && fa->kern == fb->kern);
	return false;
}

int stack_sums__make(struct stack_sums *sums, const struct profile *p)
{
	size_t cnt = p->stack_cnt + 1;
	uint32_t *tail = malloc(cnt * sizeof(*tail)), *slot, i;
	struct u64map heads = U64MAP_INIT; /* hash of names → the first stack with them */
	int err = -ENOMEM;

	sums->next = malloc(cnt * sizeof(*sums->next));
	sums->is_head = calloc(cnt, sizeof(*sums->is_head));
	if (!tail || !sums->next || !sums->is_head)
		goto cleanup;
	for (i = 0; i < p->stack_cnt; i++) {
		uint64_t key = hash_names(p, &p->stacks[i]);

		sums->next[i] = STACK_SUMS_END;
		while ((slot = u64map__slot(&heads, key)) && *slot != U64MAP_NONE &&
		       !looks_alike(p, &p->stacks[*slot], &p->stacks[i]))
			key++;
		if (!slot)
			goto cleanup;
		sums->is_head[i] = *slot == U64MAP_NONE;
		if (sums->is_head[i])
			*slot = i;
		else
			sums->next[tail[*slot]] = i;
		tail[*slot] = i;
	}
	err = 0;
cleanup:
	u64map__free(&heads);
	free(tail);
	return err;
}

void stack_sums__free(struct stack_sums *sums)
{
	free(sums->next);
	free(sums->is_head);
}
