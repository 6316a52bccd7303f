/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* A profile as a tree of names: group (thread's name, …) → outermost function → … → innermost. */
#ifndef BPFPERF_PROFILE_PROFILE_TREE_H
#define BPFPERF_PROFILE_PROFILE_TREE_H

#include <stdbool.h>
#include <stdint.h>

#include "profile/profile.h"

struct profile_view; /* the events to show: profile/profile_view.h */

struct profile_value {
	uint64_t samples, weight;
};

struct profile_node {
	uint32_t name; /* index into profile.texts */
	uint32_t func; /* index into profile.funcs; TEXTS_NONE: a group, "[truncated]" */
	uint32_t parent;
	uint32_t child; /* index of the first child; 0: none (the root is never a child) */
	uint32_t next; /* index of the next child of the same parent; 0: none */
	bool recursive; /* recursive calls were folded into this node */
	/* Values of the view in profile_tree__weigh(): */
	uint64_t total; /* the node and its descendants */
	uint64_t self; /* the node alone */
	uint64_t off_total, off_self; /* the part off the CPU */
	uint64_t old_total, old_self; /* values of the older profile */
	uint64_t old_off_self; /* the part off the CPU in the older profile */
};

struct profile_tree {
	struct profile *profile;
	struct profile_node *nodes; /* [0] is the root and has no name */
	struct profile_value *self; /* value of node i and event e: self[i * event_cnt + e] */
	uint32_t *of_stack; /* by index into profile.stacks: the node where the stack ends */
	uint32_t event_cnt;
	uint32_t cnt, cap;
};

/*
 * Names all frames and builds the tree. A cut stack begins with a node "[truncated]"; several
 * [unknown] in a row are merged into one; with fold, so are recursions over up to
 * PROFILE_MAX_CIRCLE functions. The totals are the view's. Children are sorted by total, the
 * largest first, then by name. 0 or -ENOMEM.
 */
#define PROFILE_MAX_CIRCLE 8
int profile_tree__build(struct profile_tree *tree, struct profile *p, bool fold,
			const struct profile_view *view);
/* Computes the values of the tree for another view. 0 or -ENOMEM. */
int profile_tree__weigh(struct profile_tree *tree, const struct profile_view *view);
void profile_tree__free(struct profile_tree *tree);

static inline const char *profile_tree__name(const struct profile_tree *tree, uint32_t node)
{
	return profile__text(tree->profile, tree->nodes[node].name);
}

#endif
