/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Aggregation: the code that puts the key and the value of one event's record
 * into the environment (struct patch_env), for bpf/aggregate.bpf.h to count.
 */
#ifndef BPFPERF_FILTER_AGG_H
#define BPFPERF_FILTER_AGG_H

#include "filter/filter.h"

#define AGG_PARTS_MAX 8

/* One part of the key: what --by lists. */
struct agg_part {
	const char *name; /* the caller's */
	size_t name_len;
	bool is_text; /* else a number in one word; or: */
	bool is_stack; /* an id (bpf/wire.h), which the programs put there themselves */
	uint8_t at, words; /* where it is in patch_env.key */
};

/* The aggregation that was asked for, for all events. */
struct agg_plan {
	struct agg_part parts[AGG_PARTS_MAX];
	unsigned int part_cnt;
	unsigned int key_words; /* of patch_env.key in all */
	const char *value; /* field of --sum and --hist, or NULL */
	bool weights; /* the value is what each record counts (event/weight.h) */
	uint64_t period; /* a record is wanted each time that so much has come; 0: each */
};

/* The aggregation of one event; opaque. */
struct agg_event;

/* Splits a list of fields. 0, or -EINVAL after a sentence. */
int agg_plan__parse_by(struct agg_plan *plan, const char *list);
/*
 * Looks the plan's fields up in the event, which is number `idx`; what kind a part is the first
 * event decides. The event's own fields come first; then comm, pid (process), tid, cpu and stack,
 * those of the task and the CPU that the event happens on. NULL and errno EINVAL (told) or ENOMEM.
 */
struct agg_event *agg_event__new(struct agg_plan *plan, const struct tp_format *fmt,
				 unsigned int idx, const struct filter_env *env);
void agg_event__free(struct agg_event *e);
/* After all events: where each part lies. 0, or -E2BIG (told): the key is too long. */
int agg_plan__lay_out(struct agg_plan *plan);
/* Is a stack part of the key? After all events. */
bool agg_plan__has_stack(const struct agg_plan *plan);
/* enum wire_patch_need */
uint32_t agg_event__needs(const struct agg_event *e);
/* A struct patch_event's `more`. */
void agg_event__code(const void *agg_event, struct code *c, code_label reject);
/* Is the number of part i (or, for -1, the value) signed? */
bool agg_event__is_signed(const struct agg_event *e, int i);

#endif
