// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "sink/profile_tree.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct builder {
	struct profile_tree *tree;
	struct profile *profile;
	struct u64map children; /* parent << 32 | name → node */
	uint32_t unknown; /* the name "[unknown]" */
	uint32_t *sorted; /* children of one node */
	size_t sorted_cap;
};

/* The child of that name, made where there is none. 0: no memory. */
static uint32_t child_of(struct builder *b, uint32_t parent, uint32_t name)
{
	struct profile_tree *tree = b->tree;
	uint32_t *slot = u64map__slot(&b->children, (uint64_t)parent << 32 | name);
	struct profile_node *bigger;

	if (!slot || *slot != U64MAP_NONE)
		return slot ? *slot : 0;
	if (tree->cnt == tree->cap) {
		bigger = realloc(tree->nodes, 2 * (size_t)tree->cap * sizeof(*bigger));
		if (!bigger)
			return 0;
		tree->nodes = bigger;
		tree->cap *= 2;
	}
	tree->nodes[tree->cnt] = (struct profile_node){
		.name = name,
		.parent = parent,
		.next = tree->nodes[parent].child,
	};
	tree->nodes[parent].child = tree->cnt;
	return *slot = tree->cnt++;
}

/* Frame pointers that lead astray give row upon row of [unknown]: one says as much. */
static int add_stack(struct builder *b, const struct profile_stack *st)
{
	uint32_t at = child_of(b, 0, st->comm), name, prev = U64MAP_NONE;
	size_t depth, cnt = profile_stack__depth(st);

	if (at && st->truncated) {
		name = profile__intern(b->profile, "[truncated]");
		at = name == U64MAP_NONE ? 0 : child_of(b, at, name);
	}
	for (depth = 0; at && depth < cnt; depth++) {
		name = profile__frame_name(b->profile, st, depth);
		if (name == prev && name == b->unknown)
			continue;
		at = name == U64MAP_NONE ? 0 : child_of(b, at, name);
		prev = name;
	}
	if (!at)
		return -ENOMEM;
	b->tree->nodes[at].self += st->samples;
	for (; at; at = b->tree->nodes[at].parent)
		b->tree->nodes[at].total += st->samples;
	b->tree->nodes[0].total += st->samples;
	return 0;
}

static int cmp_nodes(const void *a, const void *b, void *ctx)
{
	struct builder *bld = ctx;
	const struct profile_node *x = &bld->tree->nodes[*(const uint32_t *)a];
	const struct profile_node *y = &bld->tree->nodes[*(const uint32_t *)b];

	if (x->total != y->total)
		return x->total > y->total ? -1 : 1;
	return strcmp(profile__name(bld->profile, x->name), profile__name(bld->profile, y->name));
}

static int sort_children(struct builder *b, struct profile_node *node)
{
	struct profile_node *nodes = b->tree->nodes;
	size_t cnt = 0, i;
	uint32_t c, *bigger;

	for (c = node->child; c; c = nodes[c].next) {
		if (cnt == b->sorted_cap) {
			b->sorted_cap = b->sorted_cap ? b->sorted_cap * 2 : 64;
			bigger = realloc(b->sorted, b->sorted_cap * sizeof(*bigger));
			if (!bigger)
				return -ENOMEM;
			b->sorted = bigger;
		}
		b->sorted[cnt++] = c;
	}
	if (cnt < 2)
		return 0;
	qsort_r(b->sorted, cnt, sizeof(*b->sorted), cmp_nodes, b);
	node->child = b->sorted[0];
	for (i = 0; i < cnt; i++)
		nodes[b->sorted[i]].next = i + 1 < cnt ? b->sorted[i + 1] : 0;
	return 0;
}

int profile_tree__build(struct profile_tree *tree, struct profile *p)
{
	struct builder b = { .tree = tree, .profile = p };
	int err = 0;
	size_t i;

	*tree = (struct profile_tree){ .cnt = 1, .cap = 1024 };
	tree->nodes = calloc(tree->cap, sizeof(*tree->nodes));
	if (!tree->nodes)
		return -ENOMEM;
	b.unknown = profile__intern(p, "[unknown]");
	for (i = 0; !err && i < p->stack_cnt; i++)
		err = add_stack(&b, &p->stacks[i]);
	for (i = 0; !err && i < tree->cnt; i++)
		err = sort_children(&b, &tree->nodes[i]);
	u64map__free(&b.children);
	free(b.sorted);
	if (err)
		profile_tree__free(tree);
	return err;
}

void profile_tree__free(struct profile_tree *tree)
{
	free(tree->nodes);
	*tree = (struct profile_tree){ 0 };
}
