/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Pairs of events: generates the code that stores, for the start or the end of a pair, the key that
 * joins the two and the fields of its row in the environment (struct wire_span), for
 * bpf/span.bpf.h to match and count.
 */
#ifndef BPFPERF_FILTER_SPAN_H
#define BPFPERF_FILTER_SPAN_H

#include "filter/agg.h"

#define SPAN_KEYS_MAX 4

/* Part of one event in a pair; opaque. */
struct span_role;

struct span_role_config {
	unsigned int pair; /* index of the pair */
	uint32_t flags; /* enum wire_span_flag */
	bool is_start; /* else the end */
	const struct tp_format *fmt; /* outlives the role */
	const struct filter_env *env; /* outlives the role */
};

/* NULL: no memory. */
struct span_role *span_role__new(const struct span_role_config *cfg);
void span_role__free(struct span_role *role);

/* Is the name one of the event's own fields? */
bool span_role__has_field(const struct span_role *role, const char *name, size_t len);
/*
 * Adds a word to the key that joins start and end: a field that is a number, cpu, or `thread`, the
 * current one, which tells the idle tasks apart. Returns 0, or -EINVAL after a sentence.
 */
int span_role__add_key(struct span_role *role, const char *name, size_t len);
/*
 * Part i of the plan is the value of that name in this event; its type is stored in the plan.
 * Returns 0, or -EINVAL after a sentence.
 */
int span_role__set_part(struct span_role *role, struct agg_plan *plan, unsigned int i,
			const char *name, size_t len);
/* True if the number of part i is signed. */
bool span_role__is_signed(const struct span_role *role, unsigned int i);
/* enum wire_patch_need */
uint32_t span_role__needs(const struct span_role *role);

/*
 * Assigns positions in struct wire_span's row to all parts, after all roles have their parts.
 * Stores the words of a row in plan->key_words. 0, or -E2BIG (printed): the key is too long.
 */
int span_plan__lay_out(struct agg_plan *plan);
/* Called after it: completes the role, with the number of words of all keys (pair included). */
void span_role__lay_out(struct span_role *role, const struct agg_plan *plan,
			unsigned int match_words);
/* A struct patch_event's `more`. */
void span_role__code(const void *role, struct code *c, code_label reject);

#endif
