// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* Reads the profile that flame.c embeds in its HTML page. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "profile/profile_read.h"
#include "profile/read_json.h"
#include "util/array.h"

#define SCRIPT "<script id=\"profile\" type=\"application/json\">"

struct numbers {
	uint64_t *v;
	size_t cnt, cap;
};

struct page_reader {
	struct head_reader head;
	struct json_read j;
	struct strbuf key, s;
	struct numbers names, modules; /* indexes into profile.texts */
	struct numbers level, name, module, kern; /* by index of the node */
	struct numbers samples[PROFILE_MAX_EVENTS], weight[PROFILE_MAX_EVENTS];
	uint32_t self_cnt; /* number of events that have values */
	uint32_t *path; /* nodes from the outermost to the current one */
	uint32_t *locs;
};

static int push(struct numbers *n, uint64_t v)
{
	if (array__reserve((void **)&n->v, &n->cap, n->cnt + 1, sizeof(*n->v)))
		return -ENOMEM;
	n->v[n->cnt++] = v;
	return 0;
}

static int read_numbers(struct page_reader *r, struct numbers *n)
{
	uint64_t v;
	int err = 0;

	json_read__enter(&r->j, '[');
	while (json_read__next(&r->j) && !err)
		err = json_read__u64(&r->j, &v) ? push(n, v) : -EINVAL;
	return err;
}

static int read_texts(struct page_reader *r, struct numbers *n)
{
	uint32_t idx;
	int err = 0;

	json_read__enter(&r->j, '[');
	while (json_read__next(&r->j) && !err) {
		if (!json_read__str(&r->j, &r->s))
			return -EINVAL;
		idx = texts__add_escaped(&r->head.p->texts, strbuf__cstr(&r->s), r->s.len);
		err = idx == TEXTS_NONE ? -ENOMEM : push(n, idx);
	}
	return err;
}

static int read_self(struct page_reader *r)
{
	int err = 0;

	json_read__enter(&r->j, '[');
	while (json_read__next(&r->j) && !err) {
		if (r->self_cnt == PROFILE_MAX_EVENTS)
			return -E2BIG;
		json_read__enter(&r->j, '{');
		while (json_read__next(&r->j) && !err) {
			json_read__key(&r->j, &r->key);
			if (!strcmp(strbuf__cstr(&r->key), "samples"))
				err = read_numbers(r, &r->samples[r->self_cnt]);
			else if (!strcmp(strbuf__cstr(&r->key), "weight"))
				err = read_numbers(r, &r->weight[r->self_cnt]);
			else
				json_read__skip(&r->j);
		}
		r->self_cnt++;
	}
	return err;
}

static int read_members(struct page_reader *r)
{
	int err = 0;
	size_t i;
	const struct {
		const char *key;
		struct numbers *n;
		bool texts;
	} arrays[] = {
		{ "names", &r->names, true },    { "modules", &r->modules, true },
		{ "level", &r->level, false },   { "name", &r->name, false },
		{ "module", &r->module, false }, { "in_kernel", &r->kern, false },
	};

	json_read__enter(&r->j, '{');
	while (json_read__next(&r->j) && !err) {
		const char *key;

		json_read__key(&r->j, &r->key);
		key = strbuf__cstr(&r->key);
		for (i = 0; i < sizeof(arrays) / sizeof(arrays[0]); i++)
			if (!strcmp(key, arrays[i].key))
				break;
		if (i < sizeof(arrays) / sizeof(arrays[0]))
			err = arrays[i].texts ? read_texts(r, arrays[i].n)
					      : read_numbers(r, arrays[i].n);
		else if (!strcmp(key, "self"))
			err = read_self(r);
		else
			err = head_reader__member(&r->head, &r->j, key, &r->s);
	}
	return err ? err : r->j.bad ? -EINVAL : 0;
}

/* Checks that all arrays have the right length and all indexes are in range. */
static bool is_sound(const struct page_reader *r)
{
	size_t i, cnt = r->level.cnt;
	uint32_t e;

	if (!r->head.is_profile || r->name.cnt != cnt || r->module.cnt != cnt ||
	    r->kern.cnt != cnt || r->self_cnt != r->head.event_cnt)
		return false;
	for (e = 0; e < r->self_cnt; e++)
		if (r->samples[e].cnt != cnt || r->weight[e].cnt != cnt)
			return false;
	for (i = 0; i < cnt; i++)
		if (!r->level.v[i] || r->level.v[i] > (i ? r->level.v[i - 1] + 1 : 1) ||
		    r->level.v[i] > PROFILE_MAX_DEPTH + 3 || r->name.v[i] >= r->names.cnt ||
		    r->module.v[i] > r->modules.cnt)
			return false;
	return true;
}

static const char *name_of(const struct page_reader *r, uint32_t node)
{
	return profile__text(r->head.p, (uint32_t)r->names.v[r->name.v[node]]);
}

static uint32_t loc_of(struct page_reader *r, uint32_t node)
{
	uint64_t module = r->module.v[node];

	return profile__named_loc(
		r->head.p, name_of(r, node),
		module ? profile__text(r->head.p, (uint32_t)r->modules.v[module - 1]) : "",
		r->kern.v[node] != 0);
}

/* Adds the stack that ends in the path's last node, at depth `level`. */
static int add_stack(struct page_reader *r, uint32_t level, struct profile_stack *st)
{
	uint32_t i, from = 1, n = 0;

	st->group[0] = (uint32_t)r->names.v[r->name.v[r->path[0]]];
	st->group[1] = TEXTS_NONE;
	/* A frame without a module is a name of the group, or the mark of a cut stack. */
	if (from < level && !strncmp(name_of(r, r->path[0]), "CPU ", 4) &&
	    !r->module.v[r->path[1]] && strcmp(name_of(r, r->path[1]), "[truncated]") != 0) {
		st->group[1] = (uint32_t)r->names.v[r->name.v[r->path[1]]];
		from = 2;
	}
	if (from < level && !strcmp(name_of(r, r->path[from]), "[truncated]")) {
		st->truncated = true;
		from++;
	}
	for (i = level; i-- > from;) {
		r->locs[n] = loc_of(r, r->path[i]);
		if (r->locs[n++] == TEXTS_NONE)
			return -ENOMEM;
	}
	st->user_cnt = (uint16_t)n;
	return profile__add_stack(r->head.p, st, r->locs);
}

static int add_stacks(struct page_reader *r)
{
	uint32_t i, e;
	int err = 0;

	r->path = calloc(PROFILE_MAX_DEPTH + 4, sizeof(*r->path));
	r->locs = calloc(PROFILE_MAX_DEPTH + 4, sizeof(*r->locs));
	if (!r->path || !r->locs)
		return -ENOMEM;
	for (i = 0; i < r->level.cnt && !err; i++) {
		r->path[r->level.v[i] - 1] = i;
		for (e = 0; e < r->self_cnt && !err; e++) {
			struct profile_stack st = {
				.samples = r->samples[e].v[i],
				.weight = r->weight[e].v[i],
				.event = (uint8_t)r->head.events[e],
			};

			if (r->head.events[e] >= 0 && (st.samples || st.weight))
				err = add_stack(r, (uint32_t)r->level.v[i], &st);
		}
	}
	return err;
}

static void free_all(struct page_reader *r)
{
	struct numbers *all[] = {
		&r->names, &r->modules, &r->level, &r->name, &r->module, &r->kern
	};
	size_t i;

	for (i = 0; i < sizeof(all) / sizeof(all[0]); i++)
		free(all[i]->v);
	for (i = 0; i < PROFILE_MAX_EVENTS; i++) {
		free(r->samples[i].v);
		free(r->weight[i].v);
	}
	strbuf__free(&r->key);
	strbuf__free(&r->s);
	free(r->path);
	free(r->locs);
	free(r);
}

int profile_read__page(struct profile *p, const char *text, size_t len, bool old, size_t *bad_line)
{
	const char *from = memmem(text, len, SCRIPT, strlen(SCRIPT)), *to;
	struct page_reader *r;
	int err;

	*bad_line = 0;
	if (!from)
		return -EINVAL;
	from += strlen(SCRIPT);
	to = memmem(from, (size_t)(text + len - from), "</script>", 9);
	if (!to)
		return -EINVAL;
	r = calloc(1, sizeof(*r));
	if (!r)
		return -ENOMEM;
	r->head = (struct head_reader){ .p = p, .old = old };
	r->j = json_read__of(from, (size_t)(to - from));
	err = read_members(r);
	if (!err && !is_sound(r))
		err = -EINVAL;
	if (!err)
		err = add_stacks(r);
	free_all(r);
	return err;
}
