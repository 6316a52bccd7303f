// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "profile/profile_tree.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "profile/profile_view.h"
#include "util/array.h"

/* A step of a path: a name and the function it belongs to. */
struct step {
	uint32_t name, func;
	bool recursive;
};

struct builder {
	struct profile_tree *tree;
	struct profile *profile;
	struct u64map children; /* parent << 32 | name, kernel → node */
	uint32_t unknown, truncated; /* texts "[unknown]" and "[truncated]" */
	bool fold;
	struct step *path;
	size_t path_cnt, path_cap;
};

static int grow_nodes(struct profile_tree *tree)
{
	size_t cap = tree->cap ? tree->cap * 2 : 1024;
	struct profile_node *nodes = realloc(tree->nodes, cap * sizeof(*nodes));
	struct profile_value *self;

	if (!nodes)
		return -ENOMEM;
	tree->nodes = nodes;
	self = realloc(tree->self, cap * (tree->event_cnt + 1) * sizeof(*self));
	if (!self)
		return -ENOMEM;
	tree->self = self;
	tree->cap = (uint32_t)cap;
	return 0;
}

/* Returns a new node without children. 0: no memory (the root, node 0, is never requested). */
static int new_node(struct profile_tree *tree, const struct step *step, uint32_t parent)
{
	struct profile_value *self;

	if (tree->cnt == tree->cap && grow_nodes(tree))
		return -ENOMEM;
	tree->nodes[tree->cnt] = (struct profile_node){
		.name = step->name,
		.func = step->func,
		.parent = parent,
	};
	self = &tree->self[(size_t)tree->cnt * tree->event_cnt];
	memset(self, 0, tree->event_cnt * sizeof(*self));
	tree->cnt++;
	return 0;
}

/* A profile without modules names functions too: of equal ones a node has the one with a module. */
static bool has_module(const struct profile *p, uint32_t func)
{
	return func != TEXTS_NONE && *profile__text(p, p->funcs[func].module);
}

/* Returns the child with this name, added if it is new. 0: no memory. */
static uint32_t child_of(struct builder *b, uint32_t parent, const struct step *step)
{
	struct profile_tree *tree = b->tree;
	bool kern = step->func != TEXTS_NONE && b->profile->funcs[step->func].kern;
	uint32_t *slot = u64map__slot(&b->children,
				      (uint64_t)parent << 32 | (uint64_t)step->name << 1 | kern);
	uint32_t node;

	if (!slot)
		return 0;
	if (*slot == U64MAP_NONE) {
		node = tree->cnt;
		if (new_node(tree, step, parent))
			return 0;
		tree->nodes[node].next = tree->nodes[parent].child;
		tree->nodes[parent].child = node;
		*slot = node;
	}
	node = *slot;
	tree->nodes[node].recursive |= step->recursive;
	if (tree->nodes[node].func != step->func && !has_module(b->profile, tree->nodes[node].func))
		tree->nodes[node].func = step->func;
	return node;
}

/* Folds the last k steps of the path into the k steps before them if both are equal. */
static void fold_circle(struct builder *b)
{
	size_t k, i, n = b->path_cnt;

	for (k = 1; k <= PROFILE_MAX_CIRCLE && 2 * k <= n; k++) {
		for (i = 0; i < k; i++)
			if (b->path[n - 1 - i].name != b->path[n - 1 - k - i].name ||
			    b->path[n - 1 - k - i].func == TEXTS_NONE)
				break;
		if (i == k) {
			b->path_cnt -= k;
			b->path[b->path_cnt - 1].recursive = true;
			return;
		}
	}
}

static int push_step(struct builder *b, uint32_t name, uint32_t func)
{

	if (name == TEXTS_NONE)
		return -ENOMEM;
	/* Broken frame pointers yield many [unknown] in a row: they are merged into one. */
	if (name == b->unknown && b->path_cnt && b->path[b->path_cnt - 1].name == name)
		return 0;
	if (array__reserve((void **)&b->path, &b->path_cap, b->path_cnt + 1, sizeof(*b->path)))
		return -ENOMEM;
	b->path[b->path_cnt++] = (struct step){ name, func, false };
	if (b->fold)
		fold_circle(b);
	return 0;
}

/* Makes the path of a stack: the names of its group, then its functions, outermost first. */
static int make_path(struct builder *b, const struct profile_stack *st)
{
	const uint32_t *funcs;
	struct profile *p = b->profile;
	size_t i;
	uint16_t cnt, f;
	int err;

	b->path_cnt = 0;
	err = push_step(b, st->group[0], TEXTS_NONE);
	if (!err && st->group[1] != TEXTS_NONE)
		err = push_step(b, st->group[1], TEXTS_NONE);
	if (!err && st->truncated)
		err = push_step(b, b->truncated, TEXTS_NONE);
	for (i = profile_stack__depth(st); i-- && !err;) {
		funcs = profile__funcs(p, p->frames[st->at + i], &cnt);
		if (!funcs)
			return -ENOMEM;
		for (f = 0; f < cnt && !err; f++)
			err = push_step(b, p->funcs[funcs[f]].name, funcs[f]);
	}
	return err;
}

/* Returns the node where the stack ends. 0: no memory. */
static uint32_t add_stack(struct builder *b, const struct profile_stack *st)
{
	struct profile_value *self;
	uint32_t at = 0;
	size_t i;

	if (make_path(b, st))
		return 0;
	for (i = 0; i < b->path_cnt; i++) {
		at = child_of(b, at, &b->path[i]);
		if (!at)
			return 0;
	}
	self = &b->tree->self[(size_t)at * b->tree->event_cnt + st->event];
	self->samples += st->samples;
	self->weight += st->weight;
	return at;
}

static int cmp_nodes(const void *a, const void *b, void *ctx)
{
	struct profile_tree *tree = ctx;
	const struct profile_node *x = &tree->nodes[*(const uint32_t *)a];
	const struct profile_node *y = &tree->nodes[*(const uint32_t *)b];

	if (x->total != y->total)
		return x->total > y->total ? -1 : 1;
	if (x->old_total != y->old_total)
		return x->old_total > y->old_total ? -1 : 1;
	return strcmp(profile__text(tree->profile, x->name), profile__text(tree->profile, y->name));
}

/* Sorts the children of each node; `sorted` has room for all nodes. */
static void sort_children(struct profile_tree *tree, struct profile_node *node, uint32_t *sorted)
{
	size_t cnt = 0, i;
	uint32_t c;

	for (c = node->child; c; c = tree->nodes[c].next)
		sorted[cnt++] = c;
	if (cnt < 2)
		return;
	qsort_r(sorted, cnt, sizeof(*sorted), cmp_nodes, tree);
	node->child = sorted[0];
	for (i = 0; i < cnt; i++)
		tree->nodes[sorted[i]].next = i + 1 < cnt ? sorted[i + 1] : 0;
}

/* Sets the self values of a node for a view. */
static void weigh_node(struct profile_tree *tree, uint32_t at, const struct profile_view *view)
{
	const struct profile_value *self = &tree->self[(size_t)at * tree->event_cnt];
	struct profile_node *node = &tree->nodes[at];
	bool is_off;
	uint32_t e;

	node->self = node->off_self = node->old_self = node->old_off_self = 0;
	for (e = 0; e < tree->event_cnt; e++) {
		uint64_t v = view->by_weight ? self[e].weight : self[e].samples;

		is_off = tree->profile->events[e].kind == SAMPLE_OFF_CPU;
		if (view->events >> e & 1) {
			node->self += v;
			node->off_self += is_off ? v : 0;
		}
		if (view->old_events >> e & 1) {
			node->old_self += v;
			node->old_off_self += is_off ? v : 0;
		}
	}
	node->total = node->self;
	node->off_total = node->off_self;
	node->old_total = node->old_self;
}

int profile_tree__weigh(struct profile_tree *tree, const struct profile_view *view)
{
	uint32_t *sorted = malloc(tree->cnt * sizeof(*sorted)), i;

	if (!sorted)
		return -ENOMEM;
	for (i = 0; i < tree->cnt; i++)
		weigh_node(tree, i, view);
	/* Children always have higher indexes than their parent. */
	for (i = tree->cnt; --i > 0;) {
		struct profile_node *node = &tree->nodes[i], *parent = &tree->nodes[node->parent];

		parent->total += node->total;
		parent->off_total += node->off_total;
		parent->old_total += node->old_total;
	}
	for (i = 0; i < tree->cnt; i++)
		sort_children(tree, &tree->nodes[i], sorted);
	free(sorted);
	return 0;
}

int profile_tree__build(struct profile_tree *tree, struct profile *p, bool fold,
			const struct profile_view *view)
{
	struct builder b = { .tree = tree, .profile = p, .fold = fold };
	const struct step root = { TEXTS_NONE, TEXTS_NONE, false };
	size_t i;
	int err;

	*tree = (struct profile_tree){ .profile = p, .event_cnt = p->event_cnt };
	b.unknown = texts__add(&p->texts, "[unknown]", 9);
	b.truncated = texts__add(&p->texts, "[truncated]", 11);
	err = new_node(tree, &root, 0);
	tree->of_stack = malloc((p->stack_cnt + 1) * sizeof(*tree->of_stack));
	if (!tree->of_stack)
		err = -ENOMEM;
	for (i = 0; !err && i < p->stack_cnt; i++) {
		tree->of_stack[i] = add_stack(&b, &p->stacks[i]);
		err = tree->of_stack[i] ? 0 : -ENOMEM;
	}
	if (!err)
		err = profile_tree__weigh(tree, view);
	u64map__free(&b.children);
	free(b.path);
	if (err)
		profile_tree__free(tree);
	return err;
}

void profile_tree__free(struct profile_tree *tree)
{
	free(tree->nodes);
	free(tree->self);
	free(tree->of_stack);
	*tree = (struct profile_tree){ 0 };
}
