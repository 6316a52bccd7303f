// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "sink/flame_data.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "sink/flame_times.h"
#include "sink/profile_json.h"
#include "util/array.h"
#include "util/vlq.h"

enum func_kind { KIND_USER, KIND_KERNEL, KIND_GROUP, KIND_CNT };

struct page_func {
	uint32_t func; /* index into profile.funcs; TEXTS_NONE: a group */
	uint32_t name; /* index into profile.texts */
	uint32_t node_cnt;
};

struct flame_data {
	const struct profile_tree *tree;
	struct profile *profile;
	struct strbuf *sb;
	uint32_t *order; /* nodes in the order of output, without the root */
	uint16_t *level; /* by position in the order */
	uint32_t *func; /* by position in the order: index into funcs */
	uint32_t cnt;
	struct page_func *funcs; /* in the order of their first nodes */
	size_t func_cnt, func_cap;
	uint32_t *sorted; /* indexes into funcs, the one with the most nodes first */
	struct u64map by_func, by_group; /* profile.funcs, profile.texts → funcs */
	/* lists of modules with functions of a kind; of FRAME_INLINED: of the functions */
	struct strbuf sources[FRAME_KINDS];
	struct u64map by_source; /* modules in a list of sources */
	struct u64map with_module; /* name << 1 | kernel → a function of this name with a module */
};

static void put_bits(struct strbuf *sb, const char *key, uint64_t bits)
{
	const char *sep = "";

	strbuf__printf(sb, ",\"%s\":[", key);
	for (; bits; bits &= bits - 1, sep = ",")
		strbuf__printf(sb, "%s%d", sep, __builtin_ctzll(bits));
	strbuf__putc(sb, ']');
}

static void put_views(struct strbuf *sb, const struct profile_sink *ps)
{
	uint32_t i;

	strbuf__puts(sb, ",\n\"views\":[");
	for (i = 0; i < ps->view_cnt; i++) {
		const struct profile_view *v = &ps->views[i];

		strbuf__puts(sb, i ? ",{\"name\":" : "{\"name\":");
		strbuf__put_json(sb, v->name, strlen(v->name));
		profile_json__put_str(sb, "unit", v->unit);
		strbuf__puts(sb, v->is_ns ? ",\"ns\":true" : ",\"ns\":false");
		strbuf__puts(sb, v->by_weight ? ",\"weight\":true" : ",\"weight\":false");
		put_bits(sb, "events", v->events);
		put_bits(sb, "old", v->old_events);
		strbuf__putc(sb, '}');
	}
	strbuf__putc(sb, ']');
}

/* Orders the nodes depth first, the largest child first. */
static int put_in_order(struct flame_data *d)
{
	const struct profile_node *nodes = d->tree->nodes;
	uint32_t at = nodes[0].child, level = 1;

	d->order = malloc(d->tree->cnt * sizeof(*d->order));
	d->level = malloc(d->tree->cnt * sizeof(*d->level));
	d->func = malloc(d->tree->cnt * sizeof(*d->func));
	if (!d->order || !d->level || !d->func)
		return -ENOMEM;
	while (at) {
		d->order[d->cnt] = at;
		d->level[d->cnt++] = (uint16_t)level;
		if (nodes[at].child) {
			at = nodes[at].child;
			level++;
			continue;
		}
		while (at && !nodes[at].next) {
			at = nodes[at].parent;
			level--;
		}
		at = nodes[at].next;
	}
	return 0;
}

static uint64_t name_key(const struct profile_func *f)
{
	return (uint64_t)f->name << 1 | f->kern;
}

/* Folded stacks know no modules: in a comparison with them, equal names are one function. */
static int list_named(struct flame_data *d)
{
	uint32_t i, *slot;

	for (i = 0; i < d->profile->func_cnt; i++) {
		const struct profile_func *f = &d->profile->funcs[i];

		if (!*profile__text(d->profile, f->module))
			continue;
		slot = u64map__slot(&d->with_module, name_key(f));
		if (!slot)
			return -ENOMEM;
		*slot = *slot == U64MAP_NONE ? i : *slot;
	}
	return 0;
}

static uint32_t func_of(const struct flame_data *d, uint32_t node)
{
	uint32_t func = d->tree->nodes[node].func, other;

	if (func == TEXTS_NONE || *profile__text(d->profile, d->profile->funcs[func].module))
		return func;
	other = u64map__get(&d->with_module, name_key(&d->profile->funcs[func]));
	return other == U64MAP_NONE ? func : other;
}

static int list_funcs(struct flame_data *d)
{
	uint32_t i, *slot;

	for (i = 0; i < d->cnt; i++) {
		uint32_t name = d->tree->nodes[d->order[i]].name, func = func_of(d, d->order[i]);

		slot = func == TEXTS_NONE ? u64map__slot(&d->by_group, name)
					  : u64map__slot(&d->by_func, func);
		if (!slot || array__reserve((void **)&d->funcs, &d->func_cap, d->func_cnt + 1,
					    sizeof(*d->funcs)))
			return -ENOMEM;
		if (*slot == U64MAP_NONE) {
			*slot = (uint32_t)d->func_cnt;
			d->funcs[d->func_cnt++] = (struct page_func){ func, name, 0 };
		}
		d->func[i] = *slot;
		d->funcs[*slot].node_cnt++;
	}
	return 0;
}

static int cmp_funcs(const void *a, const void *b, void *ctx)
{
	const struct flame_data *d = ctx;
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	if (d->funcs[x].node_cnt != d->funcs[y].node_cnt)
		return d->funcs[x].node_cnt > d->funcs[y].node_cnt ? -1 : 1;
	return x < y ? -1 : x > y;
}

/* Frequent functions get small numbers: one letter for 32 of them, two for 992. */
static int sort_funcs(struct flame_data *d)
{
	uint32_t *rank = malloc((d->func_cnt + 1) * sizeof(*rank)), i;

	d->sorted = malloc((d->func_cnt + 1) * sizeof(*d->sorted));
	if (!d->sorted || !rank) {
		free(rank);
		return -ENOMEM;
	}
	for (i = 0; i < d->func_cnt; i++)
		d->sorted[i] = i;
	qsort_r(d->sorted, d->func_cnt, sizeof(*d->sorted), cmp_funcs, d);
	for (i = 0; i < d->func_cnt; i++)
		rank[d->sorted[i]] = i;
	for (i = 0; i < d->cnt; i++)
		d->func[i] = rank[d->func[i]];
	free(rank);
	return 0;
}

static void list_one(struct strbuf *list, uint32_t idx)
{
	strbuf__puts(list, list->len ? "," : "");
	strbuf__put_u64(list, idx);
}

/* "[anon]" may have code of a JIT compiler in one process, and unknown code in another. */
static int list_source(struct flame_data *d, enum frame_kind kind, uint32_t func, uint32_t module)
{
	uint32_t *slot;

	if (kind == FRAME_INLINED)
		list_one(&d->sources[kind], func);
	if (kind == FRAME_NATIVE || kind == FRAME_INLINED)
		return 0;
	slot = u64map__slot(&d->by_source, module);
	if (!slot || *slot != U64MAP_NONE)
		return slot ? 0 : -ENOMEM;
	*slot = kind;
	list_one(&d->sources[kind], module);
	return 0;
}

/* Puts the number of a function's module; new ones go to the list. 0 or -ENOMEM. */
static int put_func_of(struct flame_data *d, uint32_t idx, struct u64map *modules,
		       struct strbuf *list, uint32_t *module_cnt)
{
	const struct page_func *f = &d->funcs[d->sorted[idx]];
	const struct profile_func *pf = NULL;
	uint32_t module = 0, kind = KIND_GROUP, *slot;

	if (f->func != TEXTS_NONE) {
		pf = &d->profile->funcs[f->func];
		kind = pf->kern ? KIND_KERNEL : KIND_USER;
		slot = u64map__slot(modules, pf->module);
		if (!slot)
			return -ENOMEM;
		if (*slot == U64MAP_NONE) {
			const char *text = profile__text(d->profile, pf->module);

			*slot = (*module_cnt)++;
			strbuf__puts(list, *slot ? "," : "");
			strbuf__put_json(list, text, strlen(text));
		}
		if (list_source(d, pf->kind, idx, *slot))
			return -ENOMEM;
		module = *slot + 1;
	}
	vlq__put(d->sb, (uint64_t)module * KIND_CNT + kind);
	return 0;
}

static int put_funcs(struct flame_data *d)
{
	struct u64map modules = U64MAP_INIT;
	struct strbuf list = STRBUF_INIT;
	uint32_t i, module_cnt = 0;
	int err = 0;

	strbuf__puts(d->sb, ",\n\"functions\":[");
	for (i = 0; i < d->func_cnt; i++) {
		const char *name = profile__text(d->profile, d->funcs[d->sorted[i]].name);

		strbuf__puts(d->sb, i ? "," : "");
		strbuf__put_json(d->sb, name, strlen(name));
	}
	strbuf__puts(d->sb, "],\n\"function_of\":\"");
	for (i = 0; i < d->func_cnt && !err; i++)
		err = put_func_of(d, i, &modules, &list, &module_cnt);
	strbuf__puts(d->sb, "\",");
	for (i = 0; i < FRAME_KINDS; i++) {
		if (!d->sources[i].len)
			continue;
		strbuf__puts(d->sb, "\n\"");
		strbuf__puts(d->sb, frame_kinds[i]);
		strbuf__puts(d->sb, "\":[");
		strbuf__add(d->sb, d->sources[i].buf, d->sources[i].len);
		strbuf__puts(d->sb, "],");
	}
	strbuf__puts(d->sb, "\n\"modules\":[");
	strbuf__add(d->sb, list.buf, list.len);
	strbuf__putc(d->sb, ']');
	strbuf__free(&list);
	u64map__free(&modules);
	return err;
}

static void put_nodes(struct flame_data *d)
{
	uint32_t i, before = 0;

	strbuf__puts(d->sb, ",\n\"nodes\":\"");
	for (i = 0; i < d->cnt; before = d->level[i++]) {
		vlq__put(d->sb, before + 1 - d->level[i]);
		vlq__put(d->sb, d->func[i]);
	}
	strbuf__putc(d->sb, '"');
}

/* Returns the weight that each sample of an event has, or 0. */
static uint64_t each_of(const struct flame_data *d, uint32_t event)
{
	const struct profile_tree *tree = d->tree;
	uint64_t each = flame_times__each(&d->profile->times, d->profile, event);
	uint32_t i;

	for (i = 0; i < d->cnt && each; i++) {
		const struct profile_value *v =
			&tree->self[(size_t)d->order[i] * tree->event_cnt + event];

		if (each == FLAME_EACH_ANY && v->samples)
			each = v->weight / v->samples;
		if (v->weight != (each == FLAME_EACH_ANY ? 0 : v->samples * each))
			each = 0;
	}
	return each == FLAME_EACH_ANY ? 1 : each;
}

static void put_values(struct flame_data *d, uint32_t event, uint64_t each)
{
	const struct profile_tree *tree = d->tree;
	uint32_t i, before = UINT32_MAX;

	strbuf__puts(d->sb, event ? ",\"" : "\"");
	for (i = 0; i < d->cnt; i++) {
		const struct profile_value *v =
			&tree->self[(size_t)d->order[i] * tree->event_cnt + event];

		if (!v->samples && !v->weight)
			continue;
		vlq__put(d->sb, i - before);
		vlq__put(d->sb, v->samples);
		if (!each)
			vlq__put(d->sb, v->weight);
		before = i;
	}
	strbuf__putc(d->sb, '"');
}

static int put_all(struct flame_data *d, const struct profile_sink *ps)
{
	uint64_t each[PROFILE_MAX_EVENTS];
	uint32_t e;
	int err;

	strbuf__putc(d->sb, '{');
	profile_json__put_head(d->profile, d->sb);
	put_views(d->sb, ps);
	err = put_funcs(d);
	put_nodes(d);
	strbuf__puts(d->sb, ",\n\"each\":[");
	for (e = 0; e < d->tree->event_cnt; e++) {
		each[e] = each_of(d, e);
		strbuf__puts(d->sb, e ? "," : "");
		strbuf__put_u64(d->sb, each[e]);
	}
	strbuf__puts(d->sb, "],\n\"values\":[");
	for (e = 0; e < d->tree->event_cnt; e++)
		put_values(d, e, each[e]);
	strbuf__putc(d->sb, ']');
	if (!err)
		err = flame_times__put(d->tree, d->order, d->cnt, each, d->sb);
	strbuf__putc(d->sb, '}');
	return err;
}

int flame_data__put(const struct profile_tree *tree, const struct profile_sink *ps,
		    struct strbuf *sb)
{
	struct flame_data d = { .tree = tree, .profile = tree->profile, .sb = sb };
	int err = put_in_order(&d), kind;

	if (!err)
		err = list_named(&d);
	if (!err)
		err = list_funcs(&d);
	if (!err)
		err = sort_funcs(&d);
	if (!err)
		err = put_all(&d, ps);
	free(d.order);
	free(d.level);
	free(d.func);
	free(d.funcs);
	free(d.sorted);
	u64map__free(&d.by_func);
	u64map__free(&d.by_group);
	u64map__free(&d.by_source);
	u64map__free(&d.with_module);
	for (kind = 0; kind < FRAME_KINDS; kind++)
		strbuf__free(&d.sources[kind]);
	return err;
}
