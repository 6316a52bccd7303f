/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Aggregation: generates the code that stores the key and the value of one event's record in the
 * environment (struct patch_env), for bpf/aggregate.bpf.h to count.
 */
#ifndef BPFPERF_FILTER_AGG_H
#define BPFPERF_FILTER_AGG_H

#include "filter/filter.h"

#define AGG_PARTS_MAX 8

/* One part of the key: a field of --by. */
struct agg_part {
	const char *name; /* owned by the caller */
	size_t name_len;
	bool is_text; /* else a number in one word; or: */
	bool is_stack; /* an id (bpf/wire.h), which the programs store themselves */
	/* Position in patch_env.key; a number of two words is missing if the second is not 0. */
	uint8_t at, words;
};

/* Shown for a number that is missing. */
#define AGG_ABSENT_TEXT "<not in memory>"
/* Is the number of a part missing? key: words of which part->at is an index. */
bool agg_part__is_absent(const struct agg_part *part, const uint64_t *key);

/* The aggregation of the command line, for all events. */
struct agg_plan {
	struct agg_part parts[AGG_PARTS_MAX];
	unsigned int part_cnt;
	unsigned int key_words; /* words of patch_env.key in total */
	const char *value; /* field of --sum and --hist, or NULL */
	bool weights; /* the value is the record's weight (event/weight.h) */
	/* a record is emitted whenever the values since the last one reach it; 0: each */
	uint64_t period;
};

/* The aggregation of one event; opaque. */
struct agg_event;

/* Splits a list of fields. 0, or -EINVAL after a sentence. */
int agg_plan__parse_by(struct agg_plan *plan, const char *list);
/*
 * Looks the plan's fields up in the event, which is number `idx`; the first event determines the
 * type of each part. The event's own fields take precedence, followed by comm, pid (process), tid,
 * cpu and stack, of the task and the CPU on which the event occurs. NULL and errno EINVAL (printed)
 * or ENOMEM.
 */
struct agg_event *agg_event__new(struct agg_plan *plan, const struct tp_format *fmt,
				 unsigned int idx, const struct filter_env *env);
void agg_event__free(struct agg_event *e);
/*
 * Assigns positions from `first` on to all parts, to a stack the first one. Returns the number of
 * words of the key.
 */
unsigned int agg_plan__place(struct agg_plan *plan, unsigned int first);
/*
 * Assigns positions to all parts; call after all events. 0, or -E2BIG (printed): the key is too
 * long.
 */
int agg_plan__lay_out(struct agg_plan *plan);
/* True if a stack is part of the key; call after all events. */
bool agg_plan__has_stack(const struct agg_plan *plan);
/* enum wire_patch_need */
uint32_t agg_event__needs(const struct agg_event *e);
/* A struct patch_event's `more`. */
void agg_event__code(const void *agg_event, struct code *c, code_label reject);
/*
 * Does the code read no field of the event's own, which has this id? It then computes the event's
 * index from the record's id in r2, by adding *shift: it is the code of all such events of equal
 * *shift, too.
 */
bool agg_event__share(struct agg_event *e, uint16_t id, int32_t *shift);
/* True if the number of part i (or, for -1, the value) is signed. */
bool agg_event__is_signed(const struct agg_event *e, int i);

#endif
