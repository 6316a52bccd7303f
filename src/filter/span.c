// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "filter/span.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <linux/types.h>

#include "bpf/span_wire.h"
#include "bpf/wire.h"
#include "filter/source.h"
#include "util/log.h"

struct span_role {
	struct span_role_config cfg;
	struct value_source keys[SPAN_KEYS_MAX];
	unsigned int key_cnt;
	struct value_source parts[AGG_PARTS_MAX];
	bool has_part[AGG_PARTS_MAX];
	const struct agg_plan *plan; /* from lay_out on */
	unsigned int match_words;
};

_Static_assert(SPAN_KEYS_MAX + 1 == WIRE_SPAN_MATCH, "the pair precedes the key");

struct span_role *span_role__new(const struct span_role_config *cfg)
{
	struct span_role *role = calloc(1, sizeof(*role));

	if (role)
		role->cfg = *cfg;
	return role;
}

void span_role__free(struct span_role *role)
{
	free(role);
}

bool span_role__has_field(const struct span_role *role, const char *name, size_t len)
{
	const struct tp_format *fmt = role->cfg.fmt;
	size_t i;

	for (i = 0; i < fmt->field_cnt; i++)
		if (!strncmp(fmt->fields[i].name, name, len) && !fmt->fields[i].name[len])
			return true;
	return false;
}

int span_role__add_key(struct span_role *role, const char *name, size_t len)
{
	struct value_source *src = &role->keys[role->key_cnt];
	const struct tp_format *fmt = role->cfg.fmt;

	if (role->key_cnt == SPAN_KEYS_MAX) {
		log_error("--key: %d fields at most join two events", SPAN_KEYS_MAX);
		return -EINVAL;
	}
	role->key_cnt++;
	if (len == 6 && !strncmp(name, "thread", 6) && !span_role__has_field(role, name, len)) {
		src->from = FROM_THREAD;
		return 0;
	}
	if (value_source__find(fmt, role->cfg.env, "--key", name, len, src))
		return -EINVAL;
	if (src->field.kind == FILTER_FIELD_NUMBER)
		return 0;
	log_error("--key: %.*s is a text in %s:%s; events are joined by numbers, such as a pid, a "
		  "pointer or a device",
		  (int)len, name, fmt->sys, fmt->name);
	return -EINVAL;
}

int span_role__set_part(struct span_role *role, struct agg_plan *plan, unsigned int i,
			const char *name, size_t len)
{
	struct agg_part *part = &plan->parts[i];
	struct value_source *src = &role->parts[i];
	const struct tp_format *fmt = role->cfg.fmt;
	bool is_stack =
		len == 5 && !strncmp(name, "stack", 5) && !span_role__has_field(role, name, len);
	bool is_text;

	if (is_stack)
		src->from = FROM_STACK;
	else if (value_source__find(fmt, role->cfg.env, "--by", name, len, src))
		return -EINVAL;
	is_text = !is_stack && src->field.kind == FILTER_FIELD_TEXT;
	if (part->words && (part->is_text != is_text || part->is_stack != is_stack)) {
		log_error("--by: %.*s is of another type in %s:%s than in the events before it; "
			  "measure them one by one",
			  (int)part->name_len, part->name, fmt->sys, fmt->name);
		return -EINVAL;
	}
	part->is_text = is_text;
	part->is_stack = is_stack;
	if (value_source__words(src) > part->words)
		part->words = value_source__words(src);
	role->has_part[i] = true;
	return 0;
}

bool span_role__is_signed(const struct span_role *role, unsigned int i)
{
	return role->has_part[i] && role->parts[i].field.is_signed;
}

uint32_t span_role__needs(const struct span_role *role)
{
	uint32_t needs = 0;
	unsigned int i;

	for (i = 0; i < role->key_cnt; i++)
		needs |= value_source__needs(&role->keys[i]);
	for (i = 0; i < AGG_PARTS_MAX; i++)
		if (role->has_part[i])
			needs |= value_source__needs(&role->parts[i]);
	return needs;
}

int span_plan__lay_out(struct agg_plan *plan)
{
	if (agg_plan__place(plan, WIRE_SPAN_STACK) <= WIRE_SPAN_ROW)
		return 0;
	log_error("--by: all these texts are too long for a key; name one of them, and numbers or "
		  "task names");
	return -E2BIG;
}

void span_role__lay_out(struct span_role *role, const struct agg_plan *plan,
			unsigned int match_words)
{
	role->plan = plan;
	role->match_words = match_words;
}

static void store_zeros(struct code *c, int16_t to, unsigned int words)
{
	unsigned int i;

	for (i = 0; i < words; i++)
		code__insn(c, BPF_ST | BPF_MEM | BPF_DW, CODE_R3, 0, (int16_t)(to + 8 * i), 0);
}

void span_role__code(const void *arg, struct code *c, code_label reject)
{
	const int16_t match = offsetof(struct patch_env, span.match);
	const struct span_role *role = arg;
	struct gen g = { c, 0 };
	unsigned int i;
	int16_t row;

	row = role->cfg.is_start ? offsetof(struct patch_env, span.from)
				 : offsetof(struct patch_env, span.row);
	code__insn(c, BPF_ST | BPF_MEM | BPF_DW, CODE_R3, 0, match, (int32_t)role->cfg.pair);
	for (i = 0; i < role->key_cnt; i++) {
		/* A key that is not in memory joins nothing. */
		if (role->keys[i].field.absent_off) {
			value_source__load_absent(&g, &role->keys[i]);
			code__if(c, BPF_JNE, CODE_R4, 0, CODE_R5, reject);
		}
		value_source__store(&g, &role->keys[i], (int16_t)(match + 8 * (i + 1)), 1);
	}
	if (role->match_words > role->key_cnt + 1)
		store_zeros(c, (int16_t)(match + 8 * (role->key_cnt + 1)),
			    role->match_words - role->key_cnt - 1);
	/* The end and the start each have their fields in the row: the other has zeros there. */
	for (i = 0; i < role->plan->part_cnt; i++) {
		const struct agg_part *part = &role->plan->parts[i];
		int16_t to = (int16_t)(row + 8 * part->at);

		if (role->has_part[i] && !part->is_stack)
			value_source__store(&g, &role->parts[i], to, part->words);
		else
			store_zeros(c, to, part->words);
	}
	code__insn(c, BPF_ST | BPF_MEM | BPF_W, CODE_R3, 0, offsetof(struct patch_env, span.flags),
		   (int32_t)role->cfg.flags);
}
