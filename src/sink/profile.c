// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "sink/profile.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

void profile__init(struct profile *p, struct sym *sym)
{
	*p = (struct profile){ .sym = sym };
}

void profile__free(struct profile *p)
{
	uint32_t i;

	for (i = 0; i < p->name_cnt; i++)
		strbuf__free(&p->names[i]);
	free(p->names);
	free(p->stacks);
	free(p->frames);
	u64map__free(&p->by_hash);
	u64map__free(&p->by_text);
	u64map__free(&p->by_addr[0]);
	u64map__free(&p->by_addr[1]);
	*p = (struct profile){ 0 };
}

/* FNV-1a; what hashes alike is compared. */
static uint64_t hash_text(const char *s, size_t len)
{
	uint64_t h = 0xcbf29ce484222325ULL;

	while (len--)
		h = (h ^ (uint8_t)*s++) * 0x100000001b3ULL;
	return h;
}

/* The index of a text, which is taken over from sb where it is new. */
static uint32_t take_text(struct profile *p, struct strbuf *sb)
{
	const char *text = strbuf__cstr(sb);
	uint64_t key = hash_text(text, sb->len);
	uint32_t *slot;

	/* Two that share a hash stand under following keys. */
	while ((slot = u64map__slot(&p->by_text, key)) && *slot != U64MAP_NONE) {
		if (!strcmp(p->names[*slot].buf, text))
			goto out;
		key++;
	}
	if (slot && p->name_cnt == p->name_cap) {
		uint32_t cap = p->name_cap ? p->name_cap * 2 : 256;
		struct strbuf *bigger = realloc(p->names, cap * sizeof(*bigger));

		if (bigger) {
			p->names = bigger;
			p->name_cap = cap;
		}
	}
	if (!slot || p->name_cnt == p->name_cap || !sb->buf) {
		strbuf__free(sb);
		return U64MAP_NONE;
	}
	*slot = p->name_cnt++;
	p->names[*slot] = *sb;
	return *slot;
out:
	strbuf__free(sb);
	return *slot;
}

uint32_t profile__intern(struct profile *p, const char *text)
{
	struct strbuf sb = STRBUF_INIT;

	strbuf__put_escaped(&sb, text, strlen(text));
	return take_text(p, &sb);
}

static int reserve_frames(struct profile *p, size_t more)
{
	size_t cap = p->frame_cap ? p->frame_cap : 4096;
	uint64_t *bigger;

	while (cap < p->frame_cnt + more)
		cap *= 2;
	if (cap == p->frame_cap)
		return 0;
	bigger = realloc(p->frames, cap * sizeof(*bigger));
	if (!bigger)
		return -ENOMEM;
	p->frames = bigger;
	p->frame_cap = cap;
	return 0;
}

/*
 * Behind what is kept already, so that a new stack is there at once. All but
 * the innermost are return addresses: the call is the instruction before, and
 * where it was a function's last, the address itself is in the next one.
 */
static void put_frames(struct profile *p, const struct sample *s, struct profile_stack *st)
{
	const struct callchain *c = &s->chain;
	uint64_t *to = &p->frames[p->frame_cnt];
	uint16_t i;

	st->at = p->frame_cnt;
	st->kern_cnt = c->kern_cnt;
	st->user_cnt = c->user_cnt;
	st->truncated = c->truncated;
	for (i = 0; i < c->kern_cnt; i++)
		*to++ = sym__kernel_place(p->sym, c->kern[i] - (i > 0));
	for (i = 0; i < c->user_cnt; i++)
		*to++ = sym__place(p->sym, s->pid, c->user[i] - (i > 0));
}

static uint64_t hash_stack(const struct profile *p, const struct profile_stack *st)
{
	uint64_t h = (uint64_t)st->comm << 32 | (uint64_t)st->kern_cnt << 1 | st->truncated;
	size_t i, n = profile_stack__depth(st);

	for (i = 0; i < n; i++)
		h = u64map__mix(h ^ p->frames[st->at + i]) + i;
	return h;
}

static bool is_same(const struct profile *p, const struct profile_stack *a,
		    const struct profile_stack *b)
{
	return a->hash == b->hash && a->comm == b->comm && a->kern_cnt == b->kern_cnt &&
	       a->user_cnt == b->user_cnt && a->truncated == b->truncated &&
	       !memcmp(&p->frames[a->at], &p->frames[b->at],
		       profile_stack__depth(a) * sizeof(*p->frames));
}

static struct profile_stack *find_or_add(struct profile *p, const struct profile_stack *st)
{
	struct profile_stack *bigger;
	uint64_t key = st->hash;
	uint32_t *slot;

	while ((slot = u64map__slot(&p->by_hash, key)) && *slot != U64MAP_NONE) {
		if (is_same(p, &p->stacks[*slot], st))
			return &p->stacks[*slot];
		key++;
	}
	if (!slot)
		return NULL;
	if (p->stack_cnt == p->stack_cap) {
		size_t cap = p->stack_cap ? p->stack_cap * 2 : 256;

		bigger = realloc(p->stacks, cap * sizeof(*bigger));
		if (!bigger)
			return NULL;
		p->stacks = bigger;
		p->stack_cap = cap;
	}
	*slot = (uint32_t)p->stack_cnt;
	p->frame_cnt += profile_stack__depth(st);
	p->stacks[p->stack_cnt] = *st;
	return &p->stacks[p->stack_cnt++];
}

int profile__add(struct profile *p, const struct sample *s)
{
	struct profile_stack st = { .comm = profile__intern(p, s->comm) }, *kept;

	if (st.comm == U64MAP_NONE ||
	    reserve_frames(p, (size_t)s->chain.kern_cnt + s->chain.user_cnt))
		return -ENOMEM;
	put_frames(p, s, &st);
	st.hash = hash_stack(p, &st);
	kept = find_or_add(p, &st);
	if (!kept)
		return -ENOMEM;
	kept->samples++;
	kept->period += s->period;
	p->samples++;
	p->period += s->period;
	return 0;
}

uint32_t profile__frame_name(struct profile *p, const struct profile_stack *st, size_t depth)
{
	size_t i = profile_stack__depth(st) - 1 - depth;
	bool kern = i < st->kern_cnt;
	uint64_t addr = p->frames[st->at + i];
	uint32_t *slot = u64map__slot(&p->by_addr[kern], addr);
	struct strbuf sb = STRBUF_INIT;
	struct sym_result res;

	if (!slot || *slot != U64MAP_NONE)
		return slot ? *slot : U64MAP_NONE;
	if (kern)
		sym__kernel(p->sym, addr, &res);
	else
		sym__name(p->sym, addr, &res);
	sym_result__put(&res, &sb);
	return *slot = take_text(p, &sb);
}

const char *profile__name(struct profile *p, uint32_t idx)
{
	return strbuf__cstr(&p->names[idx]);
}
