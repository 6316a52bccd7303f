// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* Reads the profile that flame_data.c puts into the HTML page. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "profile/profile_read.h"
#include "profile/read_json.h"
#include "util/array.h"
#include "util/vlq.h"

#define SCRIPT "<script id=\"profile\" type=\"application/json\">"

struct numbers {
	uint64_t *v;
	size_t cnt, cap;
};

enum func_kind { KIND_USER, KIND_KERNEL, KIND_GROUP, KIND_CNT };

/* The times of one slice length; values by event like page_reader.values. */
struct page_times {
	uint64_t shift, first, slices;
	struct numbers values[PROFILE_MAX_EVENTS];
	uint32_t value_cnt;
};

struct page_reader {
	struct head_reader head;
	struct json_read j;
	struct strbuf key, s;
	struct numbers functions, modules; /* indexes into profile.texts */
	/* modules that all have functions of this kind; of FRAME_INLINED: the functions */
	struct numbers kinds[FRAME_KINDS];
	uint8_t *kind_of; /* by module: enum frame_kind */
	bool *is_inlined; /* by function */
	struct numbers function_of, nodes; /* as in the file: sink/flame_data.h */
	struct numbers each; /* by event */
	struct numbers values[PROFILE_MAX_EVENTS]; /* by event, as in the file */
	uint32_t value_cnt; /* number of events that have values */
	struct page_times times;
	uint32_t *func; /* by node */
	uint16_t *level; /* by node, from 1 on */
	uint32_t node_cnt;
	uint32_t *path; /* functions from the outermost to the current one */
	uint32_t *locs;
};

static int push(struct numbers *n, uint64_t v)
{
	if (array__reserve((void **)&n->v, &n->cap, n->cnt + 1, sizeof(*n->v)))
		return -ENOMEM;
	n->v[n->cnt++] = v;
	return 0;
}

static int read_array(struct page_reader *r, struct numbers *n)
{
	uint64_t v;
	int err = 0;

	json_read__enter(&r->j, '[');
	while (json_read__next(&r->j) && !err)
		err = json_read__u64(&r->j, &v) ? push(n, v) : -EINVAL;
	return err;
}

/* Reads a string of numbers. */
static int read_numbers(struct page_reader *r, struct numbers *n)
{
	const char *at, *end;
	uint64_t v;
	int err = 0;

	if (!json_read__str(&r->j, &r->s))
		return -EINVAL;
	at = strbuf__cstr(&r->s);
	end = at + r->s.len;
	while (at < end && !err)
		err = vlq__read(&at, end, &v) ? push(n, v) : -EINVAL;
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

/* Reads an array of strings of numbers, one for each event. */
static int read_values(struct page_reader *r, struct numbers *values, uint32_t *cnt)
{
	int err = 0;

	json_read__enter(&r->j, '[');
	while (json_read__next(&r->j) && !err)
		err = *cnt == PROFILE_MAX_EVENTS ? -E2BIG : read_numbers(r, &values[(*cnt)++]);
	return err;
}

static int read_times(struct page_reader *r)
{
	struct page_times *t = &r->times;
	int err = 0;

	json_read__enter(&r->j, '{');
	while (json_read__next(&r->j) && !err) {
		json_read__key(&r->j, &r->key);
		if (!strcmp(strbuf__cstr(&r->key), "shift"))
			json_read__u64(&r->j, &t->shift);
		else if (!strcmp(strbuf__cstr(&r->key), "first"))
			json_read__u64(&r->j, &t->first);
		else if (!strcmp(strbuf__cstr(&r->key), "slices"))
			json_read__u64(&r->j, &t->slices);
		else if (!strcmp(strbuf__cstr(&r->key), "values"))
			err = read_values(r, t->values, &t->value_cnt);
		else
			json_read__skip(&r->j);
	}
	return err;
}

/* Reads the value of one member. */
static int read_member(struct page_reader *r, const char *key)
{
	const struct {
		const char *key;
		struct numbers *n;
		int (*read)(struct page_reader *r, struct numbers *n);
	} members[] = {
		{ "functions", &r->functions, read_texts },
		{ "modules", &r->modules, read_texts },
		{ "function_of", &r->function_of, read_numbers },
		{ "nodes", &r->nodes, read_numbers },
		{ "each", &r->each, read_array },
	};
	size_t i;

	for (i = 0; i < sizeof(members) / sizeof(members[0]); i++)
		if (!strcmp(key, members[i].key))
			return members[i].read(r, members[i].n);
	if (frame_kind__of(key) != FRAME_NATIVE)
		return read_array(r, &r->kinds[frame_kind__of(key)]);
	if (!strcmp(key, "values"))
		return read_values(r, r->values, &r->value_cnt);
	if (!strcmp(key, "times"))
		return read_times(r);
	return head_reader__member(&r->head, &r->j, key, &r->s);
}

static int read_members(struct page_reader *r)
{
	int err = 0;

	json_read__enter(&r->j, '{');
	while (json_read__next(&r->j) && !err) {
		json_read__key(&r->j, &r->key);
		err = read_member(r, strbuf__cstr(&r->key));
	}
	return err ? err : r->j.bad ? -EINVAL : 0;
}

/* Checks that arrays have the right length and indexes of functions are in range. */
static bool is_sound(const struct page_reader *r)
{
	size_t i;

	if (!r->head.is_profile || r->function_of.cnt != r->functions.cnt || r->nodes.cnt % 2 ||
	    r->value_cnt != r->head.event_cnt || r->each.cnt != r->head.event_cnt)
		return false;
	if (r->times.value_cnt &&
	    (r->times.value_cnt != r->head.event_cnt || r->times.shift >= 64 ||
	     r->times.slices > PROFILE_TIMES_SLICES ||
	     r->times.first > (UINT64_MAX >> r->times.shift) - PROFILE_TIMES_SLICES))
		return false;
	for (i = 0; i < r->functions.cnt; i++)
		if (r->function_of.v[i] / KIND_CNT > r->modules.cnt)
			return false;
	return true;
}

static void set_kinds(struct page_reader *r)
{
	const struct numbers *of;
	uint8_t kind;
	size_t i;

	for (kind = FRAME_INLINED + 1; kind < FRAME_KINDS; kind++)
		for (of = &r->kinds[kind], i = 0; i < of->cnt; i++)
			if (of->v[i] < r->modules.cnt)
				r->kind_of[of->v[i]] = kind;
	for (of = &r->kinds[FRAME_INLINED], i = 0; i < of->cnt; i++)
		if (of->v[i] < r->functions.cnt)
			r->is_inlined[of->v[i]] = true;
}

/* Makes func and level of the nodes. 0, -EINVAL or -ENOMEM. */
static int make_nodes(struct page_reader *r)
{
	uint64_t level = 0, up, func;
	uint32_t i;

	r->node_cnt = (uint32_t)(r->nodes.cnt / 2);
	r->func = malloc((r->node_cnt + 1) * sizeof(*r->func));
	r->level = malloc((r->node_cnt + 1) * sizeof(*r->level));
	r->path = calloc(PROFILE_MAX_DEPTH + 4, sizeof(*r->path));
	r->locs = calloc(PROFILE_MAX_DEPTH + 4, sizeof(*r->locs));
	r->kind_of = calloc(r->modules.cnt + 1, sizeof(*r->kind_of));
	r->is_inlined = calloc(r->functions.cnt + 1, sizeof(*r->is_inlined));
	if (!r->func || !r->level || !r->path || !r->locs || !r->kind_of || !r->is_inlined)
		return -ENOMEM;
	set_kinds(r);
	for (i = 0; i < r->node_cnt; i++) {
		up = r->nodes.v[2 * i];
		func = r->nodes.v[2 * i + 1];
		if (up > level || level - up + 1 > PROFILE_MAX_DEPTH + 3 ||
		    func >= r->functions.cnt)
			return -EINVAL;
		level = level - up + 1;
		r->level[i] = (uint16_t)level;
		r->func[i] = (uint32_t)func;
	}
	return 0;
}

static const char *name_of(const struct page_reader *r, uint32_t func)
{
	return profile__text(r->head.p, (uint32_t)r->functions.v[func]);
}

static uint32_t loc_of(struct page_reader *r, uint32_t func)
{
	uint64_t module = r->function_of.v[func] / KIND_CNT;
	enum frame_kind kind = module ? r->kind_of[module - 1] : FRAME_NATIVE;

	return profile__named_loc(
		r->head.p, name_of(r, func),
		module ? profile__text(r->head.p, (uint32_t)r->modules.v[module - 1]) : "",
		r->function_of.v[func] % KIND_CNT == KIND_KERNEL,
		r->is_inlined[func] ? FRAME_INLINED : kind);
}

static bool is_group(const struct page_reader *r, uint32_t func)
{
	return r->function_of.v[func] % KIND_CNT == KIND_GROUP;
}

/*
 * Adds the stack that ends in the path's last function, at depth `level`. Returns its index, or
 * TEXTS_NONE: no memory.
 */
static uint32_t add_stack(struct page_reader *r, uint32_t level, struct profile_stack *st)
{
	uint32_t i, from = 1, n = 0;

	st->group[0] = (uint32_t)r->functions.v[r->path[0]];
	st->group[1] = TEXTS_NONE;
	/* Below the group are its second name, and the mark of a cut stack. */
	if (from < level && !strncmp(name_of(r, r->path[0]), "CPU ", 4) &&
	    is_group(r, r->path[1]) && strcmp(name_of(r, r->path[1]), "[truncated]") != 0) {
		st->group[1] = (uint32_t)r->functions.v[r->path[1]];
		from = 2;
	}
	if (from < level && !strcmp(name_of(r, r->path[from]), "[truncated]")) {
		st->truncated = true;
		from++;
	}
	for (i = level; i-- > from;) {
		r->locs[n] = loc_of(r, r->path[i]);
		if (r->locs[n++] == TEXTS_NONE)
			return TEXTS_NONE;
	}
	st->user_cnt = (uint16_t)n;
	return profile__add_stack(r->head.p, st, r->locs);
}

/* Reads numbers one after the other; a missing one is 0. */
struct cursor {
	const struct numbers *n;
	size_t at;
};

static uint64_t next_number(struct cursor *c)
{
	return c->at < c->n->cnt ? c->n->v[c->at++] : 0;
}

static bool is_left(const struct cursor *c)
{
	return c->at < c->n->cnt;
}

/* Adds the times of a stack, whose node the cursor is at. 0, -EINVAL or -ENOMEM. */
static int add_times(struct page_reader *r, struct cursor *times, uint32_t stack, uint64_t each)
{
	uint64_t cnt = next_number(times), slice = UINT64_MAX;
	int err = 0;

	for (; cnt && !err; cnt--) {
		struct profile_time value = { .stack = stack };

		slice += next_number(times);
		value.samples = next_number(times);
		value.weight = each ? value.samples * each : next_number(times);
		if (slice >= r->times.slices)
			return -EINVAL;
		value.slice = r->times.first + slice;
		if (r->head.p->times.wanted)
			err = profile_times__put(&r->head.p->times, (uint8_t)r->times.shift,
						 &value);
	}
	return err;
}

/* The stacks and times of one event, whose cursors stand before the value of a node. */
struct event_cursor {
	uint32_t event; /* in the file */
	uint64_t each;
	struct cursor values, times;
	uint64_t node, time_node; /* of the next value; UINT32_MAX: there is none */
};

/* Moves to the next node of a list: the distance is from the node before. */
static uint64_t next_node(struct cursor *c, uint64_t before)
{
	uint64_t distance = is_left(c) ? next_number(c) : 0;

	return distance && distance < UINT32_MAX ? before + distance : UINT32_MAX;
}

/* Adds the stack of the event that ends in the node. 0, -EINVAL or -ENOMEM. */
static int add_value(struct page_reader *r, struct event_cursor *e, uint32_t node)
{
	struct profile_stack st = { .event = (uint8_t)r->head.events[e->event] };
	uint32_t stack;
	int err = 0;

	st.samples = next_number(&e->values);
	st.weight = e->each ? st.samples * e->each : next_number(&e->values);
	stack = add_stack(r, r->level[node], &st);
	if (stack == TEXTS_NONE)
		return -ENOMEM;
	e->node = next_node(&e->values, node);
	if (e->time_node == node) {
		err = add_times(r, &e->times, stack, e->each);
		e->time_node = next_node(&e->times, node);
	}
	return err;
}

static int add_event(struct page_reader *r, uint32_t event)
{
	struct event_cursor e = {
		.event = event,
		.each = r->each.v[event],
		.values = { &r->values[event], 0 },
		.times = { &r->times.values[event], 0 },
	};
	uint32_t i;
	int err = 0;

	e.node = next_node(&e.values, UINT64_MAX);
	e.time_node = next_node(&e.times, UINT64_MAX);
	for (i = 0; i < r->node_cnt && !err && e.node != UINT32_MAX; i++) {
		r->path[r->level[i] - 1] = r->func[i];
		if (e.node == i)
			err = add_value(r, &e, i);
	}
	return err ? err : is_left(&e.values) || is_left(&e.times) ? -EINVAL : 0;
}

static int add_events(struct page_reader *r)
{
	uint32_t e;
	int err = make_nodes(r);

	for (e = 0; e < r->value_cnt && !err; e++)
		if (r->head.events[e] >= 0)
			err = add_event(r, e);
	return err;
}

static void free_all(struct page_reader *r)
{
	struct numbers *all[] = { &r->functions, &r->modules, &r->function_of, &r->nodes,
				  &r->each };
	size_t i;

	for (i = 0; i < sizeof(all) / sizeof(all[0]); i++)
		free(all[i]->v);
	for (i = 0; i < PROFILE_MAX_EVENTS; i++) {
		free(r->values[i].v);
		free(r->times.values[i].v);
	}
	for (i = 0; i < FRAME_KINDS; i++)
		free(r->kinds[i].v);
	free(r->kind_of);
	free(r->is_inlined);
	strbuf__free(&r->key);
	strbuf__free(&r->s);
	free(r->func);
	free(r->level);
	free(r->path);
	free(r->locs);
	free(r);
}

int profile_read__page(struct profile *p, const char *text, size_t len, enum profile_part part,
		       size_t *bad_line)
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
	r->head = (struct head_reader){ .p = p, .part = part };
	r->j = json_read__of(from, (size_t)(to - from));
	err = read_members(r);
	if (!err && !is_sound(r))
		err = -EINVAL;
	if (!err)
		err = add_events(r);
	free_all(r);
	return err;
}
