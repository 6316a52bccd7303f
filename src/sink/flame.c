// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * --format flame: one HTML page with the profile and everything needed to show it (flame.html);
 * the page loads nothing. The profile is JSON in a script element of a non-script type: the
 * members of profile_json.h, and
 *
 *     "views":[{"name":…,"unit":…,"ns":bool,"weight":bool,"events":[0],"old":[1]},…],
 *     "names":["spin","main",…],"modules":["/usr/bin/spin",…],
 *     "level":[1,2,…],"name":[0,1,…],"module":[0: none, else index + 1,…],"in_kernel":[0,…],
 *     "self":[{"samples":[0,3,…],"weight":[…]},…]
 *
 * The arrays from "level" on have an element for each node of the tree, a parent before its
 * children; "self" has such arrays for each event. read_page.c parses the page.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "flame_page.h"
#include "sink/out.h"
#include "sink/profile_json.h"
#include "sink/profile_sink.h"
#include "profile/profile_tree.h"

extern const struct sink_ops flame_sink;

/* Placeholder of the profile in the page. */
#define MARK "@PROFILE@"

struct flame_printer {
	struct profile_tree tree;
	struct strbuf *sb;
	uint32_t *order; /* nodes in the order of output, without the root */
	uint16_t *level; /* by position in the order */
	uint32_t cnt;
	struct u64map name_of, module_of; /* index into profile.texts → index in the page */
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
static int put_in_order(struct flame_printer *pr)
{
	const struct profile_node *nodes = pr->tree.nodes;
	uint32_t at = nodes[0].child, level = 1;

	pr->order = malloc(pr->tree.cnt * sizeof(*pr->order));
	pr->level = malloc(pr->tree.cnt * sizeof(*pr->level));
	if (!pr->order || !pr->level)
		return -ENOMEM;
	while (at) {
		pr->order[pr->cnt] = at;
		pr->level[pr->cnt++] = (uint16_t)level;
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

/* Puts a text of an array once, in the order of the indexes in the page. */
static int put_text(struct flame_printer *pr, struct u64map *map, uint32_t text, uint32_t *cnt)
{
	const char *s = profile__text(pr->tree.profile, text);
	uint32_t *slot = u64map__slot(map, text);

	if (!slot)
		return -ENOMEM;
	if (*slot != U64MAP_NONE)
		return 0;
	strbuf__puts(pr->sb, *cnt ? "," : "");
	strbuf__put_json(pr->sb, s, strlen(s));
	*slot = (*cnt)++;
	return 0;
}

static uint32_t module_text(const struct flame_printer *pr, uint32_t node)
{
	uint32_t func = pr->tree.nodes[node].func;

	return func == TEXTS_NONE ? TEXTS_NONE : pr->tree.profile->funcs[func].module;
}

static int put_texts(struct flame_printer *pr)
{
	uint32_t i, names = 0, modules = 0;
	int err = 0;

	strbuf__puts(pr->sb, ",\n\"names\":[");
	for (i = 0; i < pr->cnt && !err; i++)
		err = put_text(pr, &pr->name_of, pr->tree.nodes[pr->order[i]].name, &names);
	strbuf__puts(pr->sb, "],\n\"modules\":[");
	for (i = 0; i < pr->cnt && !err; i++)
		if (module_text(pr, pr->order[i]) != TEXTS_NONE)
			err = put_text(pr, &pr->module_of, module_text(pr, pr->order[i]), &modules);
	strbuf__putc(pr->sb, ']');
	return err;
}

enum column { COL_LEVEL, COL_NAME, COL_MODULE, COL_KERNEL };

static uint64_t cell(const struct flame_printer *pr, enum column col, uint32_t i)
{
	const struct profile_node *node = &pr->tree.nodes[pr->order[i]];

	switch (col) {
	case COL_LEVEL:
		return pr->level[i];
	case COL_NAME:
		return u64map__get(&pr->name_of, node->name);
	case COL_MODULE:
		return node->func == TEXTS_NONE
			       ? 0
			       : u64map__get(&pr->module_of, module_text(pr, pr->order[i])) + 1;
	case COL_KERNEL:
		break;
	}
	return node->func != TEXTS_NONE && pr->tree.profile->funcs[node->func].kern;
}

static void put_columns(struct flame_printer *pr)
{
	static const char *const keys[] = { "level", "name", "module", "in_kernel" };
	uint32_t i;
	size_t c;

	for (c = 0; c < sizeof(keys) / sizeof(keys[0]); c++) {
		strbuf__printf(pr->sb, ",\n\"%s\":[", keys[c]);
		for (i = 0; i < pr->cnt; i++) {
			if (i)
				strbuf__putc(pr->sb, ',');
			strbuf__put_u64(pr->sb, cell(pr, (enum column)c, i));
		}
		strbuf__putc(pr->sb, ']');
	}
}

static void put_self(struct flame_printer *pr, uint32_t event, bool weight)
{
	uint32_t i;

	strbuf__puts(pr->sb, weight ? ",\"weight\":[" : "\"samples\":[");
	for (i = 0; i < pr->cnt; i++) {
		const struct profile_value *v =
			&pr->tree.self[(size_t)pr->order[i] * pr->tree.event_cnt + event];

		if (i)
			strbuf__putc(pr->sb, ',');
		strbuf__put_u64(pr->sb, weight ? v->weight : v->samples);
	}
	strbuf__putc(pr->sb, ']');
}

static int put_profile(struct flame_printer *pr, const struct profile_sink *ps)
{
	uint32_t e;
	int err = put_in_order(pr);

	strbuf__putc(pr->sb, '{');
	profile_json__put_head(&ps->profile, pr->sb);
	put_views(pr->sb, ps);
	if (!err)
		err = put_texts(pr);
	put_columns(pr);
	strbuf__puts(pr->sb, ",\n\"self\":[");
	for (e = 0; e < pr->tree.event_cnt; e++) {
		strbuf__puts(pr->sb, e ? ",\n{" : "\n{");
		put_self(pr, e, false);
		put_self(pr, e, true);
		strbuf__putc(pr->sb, '}');
	}
	strbuf__puts(pr->sb, "]}");
	return err;
}

/* A name must not end the script element: '<' is escaped, and occurs in strings only. */
static void put_for_html(struct strbuf *to, const struct strbuf *json)
{
	const char *at = json->buf, *end = json->buf + json->len, *lt;

	while ((lt = memchr(at, '<', (size_t)(end - at)))) {
		strbuf__add(to, at, (size_t)(lt - at));
		strbuf__puts(to, "\\u003c");
		at = lt + 1;
	}
	strbuf__add(to, at, (size_t)(end - at));
}

static int flame_end(struct sink *sink)
{
	struct profile *p = profile_sink__finish(sink);
	struct profile_sink *ps = sink->priv;
	struct strbuf *sb = &sink->out->buf, json = STRBUF_INIT;
	struct flame_printer pr = { .sb = &json };
	const char *mark = strstr(flame_page, MARK);
	int err = profile_tree__build(&pr.tree, p, false, ps->views);

	if (!err)
		err = put_profile(&pr, ps);
	if (!err) {
		strbuf__add(sb, flame_page, (size_t)(mark - flame_page));
		put_for_html(sb, &json);
		strbuf__puts(sb, mark + strlen(MARK));
		err = out__commit(sink->out);
	}
	strbuf__free(&json);
	free(pr.order);
	free(pr.level);
	u64map__free(&pr.name_of);
	u64map__free(&pr.module_of);
	profile_tree__free(&pr.tree);
	return err;
}

const struct sink_ops flame_sink = {
	.name = "flame",
	.suffix = ".html",
	.begin = profile_sink__begin,
	.end = flame_end,
	PROFILE_SINK_OPS,
};
