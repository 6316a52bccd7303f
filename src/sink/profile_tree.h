/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* A profile as a tree of names: thread's name → outermost function → … → innermost. */
#ifndef BPFPERF_SINK_PROFILE_TREE_H
#define BPFPERF_SINK_PROFILE_TREE_H

#include <stdint.h>

#include "sink/profile.h"

struct profile_node {
	uint32_t name; /* index into profile.names */
	uint32_t parent;
	uint32_t child; /* first child; 0: none (the root is nobody's child) */
	uint32_t next; /* next child of the same parent; 0: none */
	uint64_t total; /* samples here and below */
	uint64_t self; /* samples that end here */
};

struct profile_tree {
	struct profile_node *nodes; /* [0] is the root, which has no name */
	uint32_t cnt, cap;
};

/*
 * Names all frames and builds the tree; children stand in order of their totals, the largest
 * first, then by name. A stack that was cut begins with a node "[truncated]"; several [unknown] in
 * a row are one. 0 or -ENOMEM.
 */
int profile_tree__build(struct profile_tree *tree, struct profile *p);
void profile_tree__free(struct profile_tree *tree);

#endif
