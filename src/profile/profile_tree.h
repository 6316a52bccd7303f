/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* A profile as a tree of names: group (thread's name, …) → outermost function → … → innermost. */
#ifndef BPFPERF_PROFILE_PROFILE_TREE_H
#define BPFPERF_PROFILE_PROFILE_TREE_H

#include <stdbool.h>
#include <stdint.h>

#include "profile/profile.h"

struct profile_view; /* profile/profile_view.h: which events are looked at */

struct profile_value {
	uint64_t samples, weight;
};

struct profile_node {
	uint32_t name; /* index into profile.texts */
	uint32_t func; /* index into profile.funcs; TEXTS_NONE: a group, "[truncated]" */
	uint32_t parent;
	uint32_t child; /* first child; 0: none (the root is nobody's child) */
	uint32_t next; /* next child of the same parent; 0: none */
	bool recursive; /* calls that went round in circles were folded into this one */
	/* As profile_tree__weigh() was asked: */
	uint64_t total; /* here and below */
	uint64_t self; /* what ends here */
	uint64_t off_total, off_self; /* of that, off the CPU */
	uint64_t old_total, old_self; /* of the older profile */
	uint64_t old_off_self; /* of that, off the CPU */
};

struct profile_tree {
	struct profile *profile;
	struct profile_node *nodes; /* [0] is the root, which has no name */
	struct profile_value *self; /* of node i and event e: self[i * event_cnt + e] */
	uint32_t event_cnt;
	uint32_t cnt, cap;
};

/*
 * Names all frames and builds the tree. A stack that was cut begins with a node "[truncated]";
 * several [unknown] in a row are one; with fold, so is a circle of up to PROFILE_MAX_CIRCLE
 * functions that call each other. The totals are those of `view`, by which children stand in
 * order: the largest first, then by name. 0 or -ENOMEM.
 */
#define PROFILE_MAX_CIRCLE 8
int profile_tree__build(struct profile_tree *tree, struct profile *p, bool fold,
			const struct profile_view *view);
/* The same tree by another view. 0 or -ENOMEM. */
int profile_tree__weigh(struct profile_tree *tree, const struct profile_view *view);
void profile_tree__free(struct profile_tree *tree);

static inline const char *profile_tree__name(const struct profile_tree *tree, uint32_t node)
{
	return profile__text(tree->profile, tree->nodes[node].name);
}

#endif
