// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "profile/profile_kinds.h"

#include <errno.h>
#include <stdbool.h>
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

static bool is_wanted(struct profile *p, uint32_t loc, uint32_t kinds)
{
	uint16_t cnt;
	const uint32_t *funcs = profile__funcs(p, loc, &cnt);
	const struct profile_func *f;

	/* Without memory the run has failed anyway. */
	if (!funcs)
		return true;
	f = &p->funcs[funcs[0]];
	/* A mark is no function: "[sleeping]". */
	if (p->locs[loc].space == PROFILE_NAMED && !*profile__text(p, f->module) &&
	    *profile__text(p, f->name) == '[')
		return true;
	return kinds >> (f->kern ? PROFILE_KIND_KERNEL : f->kind) & 1;
}

static void keep_of(struct profile *p, struct profile_stack *st, uint32_t kinds)
{
	size_t i, n = profile_stack__depth(st);
	uint16_t kern_cnt = 0, cnt = 0;

	for (i = 0; i < n; i++) {
		if (!is_wanted(p, p->frames[st->at + i], kinds))
			continue;
		p->frames[st->at + cnt++] = p->frames[st->at + i];
		kern_cnt += i < st->kern_cnt;
	}
	st->kern_cnt = kern_cnt;
	st->user_cnt = cnt - kern_cnt;
}

void profile_kinds__keep(struct profile *p, uint32_t kinds)
{
	size_t i;

	for (i = 0; i < p->stack_cnt; i++)
		keep_of(p, &p->stacks[i], kinds);
}
