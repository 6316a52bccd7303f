// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "profile/profile_kinds.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "profile/profile.h"
#include "util/log.h"

static const char *kind_name(uint32_t kind)
{
	return kind == PROFILE_KIND_KERNEL ? "kernel"
	       : kind == FRAME_NATIVE      ? "native"
					   : frame_kinds[kind];
}

static int add_kind(uint32_t *kinds, const char *name, size_t len)
{
	uint32_t kind;

	for (kind = 0; kind <= PROFILE_KIND_KERNEL; kind++) {
		if (strlen(kind_name(kind)) != len || memcmp(kind_name(kind), name, len) != 0)
			continue;
		*kinds |= 1u << kind;
		return 0;
	}
	log_error("--kinds: '%.*s' is no kind of functions; choose from: " PROFILE_KIND_NAMES,
		  (int)len, name);
	return -EINVAL;
}

int profile_kinds__set(void *kinds, const char *list)
{
	size_t len = strcspn(list, ",");
	int err;

	*(uint32_t *)kinds = 0;
	for (err = add_kind(kinds, list, len); !err && list[len]; len = strcspn(list, ",")) {
		list += len + 1;
		err = add_kind(kinds, list, strcspn(list, ","));
	}
	return err;
}

/* A mark is no function: "[sleeping]". */
static bool is_mark(const struct profile *p, const struct profile_loc *l)
{
	const struct profile_func *f = &p->funcs[p->loc_funcs[l->func]];

	return l->space == PROFILE_NAMED && !*profile__text(p, f->module) &&
	       *profile__text(p, f->name) == '[';
}

/* Leaves the location with its functions of the kinds; it may have none then. */
static void keep_funcs(struct profile *p, struct profile_loc *l, uint32_t kinds)
{
	uint32_t at, end = l->func + l->func_cnt, cnt = 0;

	if (is_mark(p, l))
		return;
	for (at = l->func; at < end; at++) {
		const struct profile_func *f = &p->funcs[p->loc_funcs[at]];
		uint32_t kind = f->kern                       ? PROFILE_KIND_KERNEL
				: p->loc_lines[at].is_inlined ? FRAME_INLINED
							      : f->kind;

		if (!(kinds >> kind & 1))
			continue;
		p->loc_funcs[l->func + cnt] = p->loc_funcs[at];
		p->loc_lines[l->func + cnt++] = p->loc_lines[at];
	}
	l->func_cnt = (uint16_t)cnt;
}

/* Leaves the stack with the locations that have functions. */
static void keep_frames(struct profile *p, struct profile_stack *st)
{
	size_t i, n = profile_stack__depth(st);
	uint16_t kern_cnt = 0, cnt = 0;

	for (i = 0; i < n; i++) {
		if (!p->locs[p->frames[st->at + i]].func_cnt)
			continue;
		p->frames[st->at + cnt++] = p->frames[st->at + i];
		kern_cnt += i < st->kern_cnt;
	}
	st->kern_cnt = kern_cnt;
	st->user_cnt = cnt - kern_cnt;
}

/* Counts the times of each stack for the one that it was joined with. */
static int join_times(struct profile *p, const uint32_t *joined)
{
	struct profile_times old = p->times;
	size_t i;
	int err = 0;

	p->times = (struct profile_times){ .wanted = old.wanted, .incomplete = old.incomplete };
	for (i = 0; i < old.cnt && !err; i++) {
		struct profile_time value = old.values[i];

		value.stack = joined[value.stack];
		err = profile_times__put(&p->times, old.shift, &value);
	}
	profile_times__free(&old);
	return err;
}

/* Adds all stacks anew, so that equal ones are summed up. The totals of events stay. */
static int join(struct profile *p)
{
	struct profile_stack *stacks = p->stacks;
	size_t cnt = p->stack_cnt, i;
	uint32_t *frames = p->frames, *joined = malloc((cnt + 1) * sizeof(*joined));
	struct profile_event events[PROFILE_MAX_EVENTS];
	int err = joined ? 0 : -ENOMEM;

	if (err)
		return err;
	memcpy(events, p->events, sizeof(events));
	u64map__free(&p->by_hash);
	p->stacks = NULL;
	p->frames = NULL;
	p->stack_cnt = p->stack_cap = p->frame_cnt = p->frame_cap = 0;
	for (i = 0; i < cnt && !err; i++) {
		joined[i] = profile__add_stack(p, &stacks[i], &frames[stacks[i].at]);
		err = joined[i] == TEXTS_NONE ? -ENOMEM : 0;
	}
	memcpy(p->events, events, sizeof(events));
	if (!err)
		err = join_times(p, joined);
	free(stacks);
	free(frames);
	free(joined);
	return err;
}

/* Drops the functions that no location has; the locations' indexes follow. */
static int drop_funcs(struct profile *p)
{
	uint32_t *at = calloc((size_t)p->func_cnt + 1, sizeof(*at)), cnt = 0, i, f;

	if (!at)
		return -ENOMEM;
	for (i = 0; i < p->loc_cnt; i++)
		for (f = 0; f < p->locs[i].func_cnt; f++)
			at[p->loc_funcs[p->locs[i].func + f]] = 1;
	for (i = 0; i < p->func_cnt; i++) {
		if (!at[i])
			continue;
		p->funcs[cnt] = p->funcs[i];
		at[i] = cnt++;
	}
	p->func_cnt = cnt;
	for (i = 0; i < p->loc_cnt; i++) {
		struct profile_loc *l = &p->locs[i];

		for (f = 0; f < l->func_cnt; f++)
			p->loc_funcs[l->func + f] = at[p->loc_funcs[l->func + f]];
		if (l->space == PROFILE_NAMED)
			l->addr = p->loc_funcs[l->func];
	}
	free(at);
	return 0;
}

/* Drops the locations without functions; those that stacks have follow. */
static int drop_locs(struct profile *p)
{
	uint32_t *at = malloc(((size_t)p->loc_cnt + 1) * sizeof(*at)), cnt = 0, i;
	size_t f;

	if (!at)
		return -ENOMEM;
	for (i = 0; i < p->loc_cnt; i++) {
		at[i] = cnt;
		if (p->locs[i].func_cnt)
			p->locs[cnt++] = p->locs[i];
	}
	p->loc_cnt = cnt;
	for (f = 0; f < p->frame_cnt; f++)
		p->frames[f] = at[p->frames[f]];
	free(at);
	return drop_funcs(p);
}

int profile_kinds__keep(struct profile *p, uint32_t kinds)
{
	size_t i;
	int err = profile__look_up_all(p);

	if (err)
		return err;
	for (i = 0; i < p->loc_cnt; i++)
		keep_funcs(p, &p->locs[i], kinds);
	for (i = 0; i < p->stack_cnt; i++)
		keep_frames(p, &p->stacks[i]);
	err = join(p);
	if (!err)
		err = drop_locs(p);
	if (err) {
		p->stack_cnt = 0;
		profile_times__free(&p->times);
	}
	return err;
}
