// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "filter/agg.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <linux/types.h>

#include "bpf/wire.h"
#include "event/spec_error.h"
#include "event/weight.h"
#include "filter/field.h"
#include "filter/gen.h"
#include "filter/parser.h"
#include "util/log.h"

/* Maximum text in a key: 63 characters; task names have at most 15. */
#define TEXT_WORDS 8
#define COMM_WORDS 2

/* Members of struct patch_env that are separate numbers. */
enum { FROM_ENTRY, FROM_TGID, FROM_TID, FROM_ONE /* no member: the number 1 */, FROM_STACK };

struct agg_source {
	struct filter_field field;
	int from;
};

struct agg_event {
	const struct agg_plan *plan;
	unsigned int idx;
	struct agg_source parts[AGG_PARTS_MAX], value;
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

/* pid and tid, if the event has no fields of these names. */
static bool find_task_id(const struct tp_format *fmt, const char *name, size_t len,
			 struct agg_source *src)
{
	static const struct filter_field fields[] = {
		{ "pid", FILTER_FIELD_NUMBER, FILTER_AT_FIELD, offsetof(struct patch_env, tgid), 4,
		  true },
		{ "tid", FILTER_FIELD_NUMBER, FILTER_AT_FIELD, offsetof(struct patch_env, tid), 4,
		  true },
	};
	size_t i;

	for (i = 0; i < 2; i++) {
		if (len != 3 || strncmp(name, fields[i].name, 3) != 0 ||
		    tp_format__field(fmt, fields[i].name))
			continue;
		src->field = fields[i];
		src->from = i ? FROM_TID : FROM_TGID;
		return true;
	}
	return false;
}

static int find_source(const struct tp_format *fmt, const struct filter_env *env,
		       const char *option, const char *name, size_t len, struct agg_source *src)
{
	struct filter_fault fault = FILTER_FAULT_INIT;
	struct filter_parser p = { name, 0, fmt, env, NULL, &fault, 0 };
	int err;

	src->from = FROM_ENTRY;
	if (find_task_id(fmt, name, len, src))
		return 0;
	err = filter_field__find(&p, name, len, &src->field);
	if (!err && src->field.kind == FILTER_FIELD_MASK)
		err = filter_parser__error(&p, 0, "%s is a set of CPUs; name a number or a text",
					   src->field.name);
	if (err)
		log_error("%s: %s", option, strbuf__cstr(&fault.text));
	filter_fault__free(&fault);
	/* The pointers of system calls point into the process's memory. */
	if (src->field.where == FILTER_AT_KERNEL_PTR && !strcmp(fmt->sys, "syscalls"))
		src->field.where = FILTER_AT_USER_PTR;
	return err ? -EINVAL : 0;
}

static uint8_t words_of(const struct filter_field *f)
{
	if (f->kind != FILTER_FIELD_TEXT)
		return 1;
	if (f->where == FILTER_AT_COMM || (f->where == FILTER_AT_FIELD && f->size <= 16))
		return COMM_WORDS;
	return TEXT_WORDS;
}

static bool is_named(const struct agg_part *part, const char *name)
{
	return part->name_len == strlen(name) && !strncmp(part->name, name, part->name_len);
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
	struct agg_source *src = &e->parts[i];
	bool is_stack = is_named(part, "stack") && !tp_format__field(fmt, "stack"), is_text;

	if (is_stack)
		src->from = FROM_STACK;
	else if (find_source(fmt, env, "--by", part->name, part->name_len, src))
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
	if (words_of(&src->field) > part->words)
		part->words = words_of(&src->field);
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
		err = find_source(fmt, env, "--hist, --sum", value, strlen(value), &e->value);
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

int agg_plan__lay_out(struct agg_plan *plan)
{
	unsigned int i, at = WIRE_KEY_STACK + agg_plan__has_stack(plan);

	for (i = 0; i < plan->part_cnt; i++) {
		if (plan->parts[i].is_stack) {
			plan->parts[i].at = WIRE_KEY_STACK;
			continue;
		}
		plan->parts[i].at = (uint8_t)at;
		at += plan->parts[i].words;
	}
	plan->key_words = at;
	if (at <= WIRE_SITE_KEYS)
		return 0;
	log_error("--by: all these texts are too long for a key; name %d of them at most",
		  (WIRE_SITE_KEYS - WIRE_KEY_REST) / TEXT_WORDS);
	return -E2BIG;
}

uint32_t agg_event__needs(const struct agg_event *e)
{
	uint32_t needs = 0;
	unsigned int i;

	for (i = 0; i <= e->plan->part_cnt; i++) {
		const struct agg_source *s = i < e->plan->part_cnt ? &e->parts[i] : &e->value;

		if (s->from == FROM_TGID || s->from == FROM_TID)
			needs |= WIRE_NEED_TASK;
		else
			needs |= filter_field__needs(s->field.where, s->field.off);
	}
	return needs;
}

/* The source in the form that gen_*.c expects: the location of a value. */
static struct filter_pred pred_of(const struct agg_source *s)
{
	return (struct filter_pred){
		.where = s->field.where,
		.off = s->field.off,
		.size = s->field.size,
		.is_signed = s->field.is_signed,
	};
}

/* r4 = the number, with its sign, in 64 bits. */
static void load_number(struct gen *g, const struct agg_source *s)
{
	const struct filter_pred pred = pred_of(s);
	int shift = 64 - 8 * pred.size;

	if (s->from == FROM_ONE) {
		code__alu(g->c, BPF_MOV, CODE_R4, 1);
		return;
	}
	if (s->from == FROM_ENTRY)
		gen__load_number(g, &pred);
	else
		code__load(g->c, 4, CODE_R4, CODE_R3, (int16_t)pred.off);
	if (!pred.is_signed || !shift)
		return;
	code__alu(g->c, BPF_LSH, CODE_R4, shift);
	code__alu(g->c, BPF_ARSH, CODE_R4, shift);
}

void agg_event__code(const void *agg_event, struct code *c, code_label reject)
{
	const int16_t key = offsetof(struct patch_env, key);
	const struct agg_event *e = agg_event;
	struct gen g = { c, 0 };
	unsigned int i;

	for (i = 0; i < e->plan->part_cnt; i++) {
		const struct agg_part *part = &e->plan->parts[i];
		const struct filter_pred pred = pred_of(&e->parts[i]);
		int16_t to = (int16_t)(key + 8 * part->at);

		if (part->is_stack)
			continue;
		if (part->is_text) {
			gen__copy_text(&g, &pred, to, 8u * part->words);
			continue;
		}
		load_number(&g, &e->parts[i]);
		code__store64(c, CODE_R3, to, CODE_R4);
	}
	if (e->plan->period) {
		code__mov64(c, CODE_R4, e->plan->period);
		code__store64(c, CODE_R3, offsetof(struct patch_env, period), CODE_R4);
	}
	if (e->plan->value || e->plan->weights) {
		load_number(&g, &e->value);
		code__store64(c, CODE_R3, offsetof(struct patch_env, value), CODE_R4);
		code__alu(c, BPF_MOV, CODE_R4, !e->value.field.is_signed);
		code__store64(c, CODE_R3, offsetof(struct patch_env, is_unsigned), CODE_R4);
	}
	code__alu(c, BPF_MOV, CODE_R4, (int32_t)e->idx);
	code__store64(c, CODE_R3, (int16_t)(key + 8 * WIRE_KEY_EVENT), CODE_R4);
}

bool agg_event__is_signed(const struct agg_event *e, int i)
{
	return i < 0 ? e->value.field.is_signed : e->parts[i].field.is_signed;
}
