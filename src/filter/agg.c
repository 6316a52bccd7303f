// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "filter/agg.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <linux/types.h>

#include "bpf/wire.h"
#include "event/spec_error.h"
#include "event/weight.h"
#include "filter/source.h"
#include "util/log.h"

struct agg_event {
	const struct agg_plan *plan;
	unsigned int idx;
	bool is_shared; /* the code finds idx from the id, by adding shift */
	int32_t shift;
	struct value_source parts[AGG_PARTS_MAX], value;
};

int agg_plan__parse_by(struct agg_plan *plan, const char *list)
{
	const char *s = list;

	while (*s) {
		size_t len = strcspn(s, ",");

		if (!len)
			return spec__error(list, (size_t)(s - list),
					   "--by: here a field's name is expected");
		if (plan->part_cnt == AGG_PARTS_MAX)
			return spec__error(list, (size_t)(s - list), "--by: %d fields at most",
					   AGG_PARTS_MAX);
		plan->parts[plan->part_cnt++] = (struct agg_part){ .name = s, .name_len = len };
		s += len + (s[len] == ',');
	}
	if (plan->part_cnt)
		return 0;
	log_error("--by: give fields, such as --by comm,cpu");
	return -EINVAL;
}

static bool is_named(const struct agg_part *part, const char *name)
{
	return part->name_len == strlen(name) && !strncmp(part->name, name, part->name_len);
}

bool agg_part__is_absent(const struct agg_part *part, const uint64_t *key)
{
	return !part->is_text && !part->is_stack && part->words > 1 && key[part->at + 1];
}

bool agg_plan__has_stack(const struct agg_plan *plan)
{
	unsigned int i;

	for (i = 0; i < plan->part_cnt; i++)
		if (plan->parts[i].is_stack)
			return true;
	return false;
}

/* Part i of this event, with the width of the widest one of all events. */
static int add_part(struct agg_plan *plan, unsigned int i, struct agg_event *e,
		    const struct tp_format *fmt, const struct filter_env *env)
{
	struct agg_part *part = &plan->parts[i];
	struct value_source *src = &e->parts[i];
	bool is_stack = is_named(part, "stack") && !tp_format__field(fmt, "stack"), is_text;

	if (is_stack)
		src->from = FROM_STACK;
	else if (value_source__find(fmt, env, "--by", part->name, part->name_len, src))
		return -EINVAL;
	is_text = !is_stack && src->field.kind == FILTER_FIELD_TEXT;
	if (part->words && (part->is_text != is_text || part->is_stack != is_stack)) {
		log_error("--by: %.*s is of another type in %s:%s than in the events before it; "
			  "aggregate them one by one",
			  (int)part->name_len, part->name, fmt->sys, fmt->name);
		return -EINVAL;
	}
	part->is_text = is_text;
	part->is_stack = is_stack;
	if (value_source__words(src) > part->words)
		part->words = value_source__words(src);
	return 0;
}

struct agg_event *agg_event__new(struct agg_plan *plan, const struct tp_format *fmt,
				 unsigned int idx, const struct filter_env *env)
{
	struct agg_event *e = calloc(1, sizeof(*e));
	const char *value;
	unsigned int i;
	int err = 0;

	if (!e)
		return NULL;
	e->plan = plan;
	e->idx = idx;
	for (i = 0; i < plan->part_cnt && !err; i++)
		err = add_part(plan, i, e, fmt, env);
	value = plan->weights ? event_weight__field(fmt) : plan->value;
	e->value.from = FROM_ONE;
	if (!err && value)
		err = value_source__find(fmt, env, "--hist, --sum", value, strlen(value),
					 &e->value);
	if (!err && value && e->value.field.kind != FILTER_FIELD_NUMBER) {
		log_error("%s:%s: %s is a text; sums and histograms are of numbers", fmt->sys,
			  fmt->name, value);
		err = -EINVAL;
	}
	if (!err)
		return e;
	free(e);
	errno = EINVAL;
	return NULL;
}

void agg_event__free(struct agg_event *e)
{
	free(e);
}

unsigned int agg_plan__place(struct agg_plan *plan, unsigned int first)
{
	unsigned int i, at = first + agg_plan__has_stack(plan);

	for (i = 0; i < plan->part_cnt; i++) {
		if (plan->parts[i].is_stack) {
			plan->parts[i].at = (uint8_t)first;
			continue;
		}
		plan->parts[i].at = (uint8_t)at;
		at += plan->parts[i].words;
	}
	plan->key_words = at;
	return at;
}

int agg_plan__lay_out(struct agg_plan *plan)
{
	if (agg_plan__place(plan, WIRE_KEY_STACK) <= WIRE_SITE_KEYS)
		return 0;
	log_error("--by: all these texts are too long for a key; name %d of them at most",
		  (WIRE_SITE_KEYS - WIRE_KEY_REST) / SOURCE_TEXT_WORDS);
	return -E2BIG;
}

uint32_t agg_event__needs(const struct agg_event *e)
{
	uint32_t needs = 0;
	unsigned int i;

	for (i = 0; i <= e->plan->part_cnt; i++) {
		const struct value_source *s = i < e->plan->part_cnt ? &e->parts[i] : &e->value;

		needs |= value_source__needs(s);
	}
	return needs;
}

/* Leaves out a record if its value is not in memory, and counts it. */
static void refuse_absent(const struct agg_event *e, struct gen *g, code_label reject)
{
	const int16_t cnt = offsetof(struct patch_env, no_value);
	struct code *c = g->c;
	code_label there;

	if (!e->value.field.absent_off)
		return;
	there = code__label(c);
	value_source__load_absent(g, &e->value);
	code__if(c, BPF_JEQ, CODE_R4, 0, CODE_R5, there);
	code__load(c, 8, CODE_R4, CODE_R3, cnt);
	code__alu(c, BPF_ADD, CODE_R4, 1);
	code__store64(c, CODE_R3, cnt, CODE_R4);
	code__goto(c, reject);
	code__bind(c, there);
}

/* Is the value the record's own, and not one of the task or the CPU? */
static bool is_own(const struct value_source *src)
{
	return src->from == FROM_ENTRY && src->field.where != FILTER_AT_CPU &&
	       src->field.where != FILTER_AT_COMM;
}

bool agg_event__share(struct agg_event *e, uint16_t id, int32_t *shift)
{
	unsigned int i;

	for (i = 0; i < e->plan->part_cnt; i++)
		if (is_own(&e->parts[i]))
			return false;
	if (is_own(&e->value))
		return false;
	e->is_shared = true;
	e->shift = *shift = (int32_t)e->idx - id;
	return true;
}

static void put_index(const struct agg_event *e, struct code *c)
{
	if (e->is_shared) {
		code__mov(c, CODE_R4, CODE_R2);
		code__alu(c, BPF_ADD, CODE_R4, e->shift);
	} else {
		code__alu(c, BPF_MOV, CODE_R4, (int32_t)e->idx);
	}
	code__store64(c, CODE_R3, offsetof(struct patch_env, key) + 8 * WIRE_KEY_EVENT, CODE_R4);
}

void agg_event__code(const void *agg_event, struct code *c, code_label reject)
{
	const int16_t key = offsetof(struct patch_env, key);
	const struct agg_event *e = agg_event;
	struct gen g = { c, 0 };
	unsigned int i;

	refuse_absent(e, &g, reject);
	put_index(e, c);
	for (i = 0; i < e->plan->part_cnt; i++) {
		const struct agg_part *part = &e->plan->parts[i];
		int16_t to = (int16_t)(key + 8 * part->at);

		if (part->is_stack)
			continue;
		value_source__store(&g, &e->parts[i], to, part->words);
	}
	if (e->plan->period) {
		code__mov64(c, CODE_R4, e->plan->period);
		code__store64(c, CODE_R3, offsetof(struct patch_env, period), CODE_R4);
	}
	if (e->plan->value || e->plan->weights) {
		value_source__load(&g, &e->value);
		code__store64(c, CODE_R3, offsetof(struct patch_env, value), CODE_R4);
		code__alu(c, BPF_MOV, CODE_R4, !e->value.field.is_signed);
		code__store64(c, CODE_R3, offsetof(struct patch_env, is_unsigned), CODE_R4);
	}
}

bool agg_event__is_signed(const struct agg_event *e, int i)
{
	return i < 0 ? e->value.field.is_signed : e->parts[i].field.is_signed;
}
