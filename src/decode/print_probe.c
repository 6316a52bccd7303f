// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "decode/print_probe.h"

#include <stdio.h>
#include <string.h>
#include <traceevent/event-parse.h>

#include "decode/print_expr.h"

#define NOT_IN_MEMORY "<not in memory>"

/* The field that an argument prints: alone, or by a name of its value, for which it is compared. */
static struct tep_format_field *field_of(const struct tep_print_arg *arg,
					 const struct tep_event *event)
{
	while (arg && arg->type == TEP_PRINT_TYPE)
		arg = arg->typecast.item;
	if (arg && arg->type == TEP_PRINT_SYMBOL)
		arg = arg->symbol.field;
	while (arg && arg->type == TEP_PRINT_OP)
		arg = arg->op.left;
	if (!arg || arg->type != TEP_PRINT_FIELD)
		return NULL;
	return arg->field.field ? arg->field.field
				: tep_find_field((struct tep_event *)event, arg->field.name);
}

bool print_probe__is_float(const struct tep_print_arg *arg)
{
	const struct tep_format_field *f;

	if (!arg || arg->type != TEP_PRINT_FIELD)
		return false;
	f = arg->field.field;
	return f && (!strcmp(f->type, "double") || !strcmp(f->type, "float"));
}

/* Returns the field's bit of __absent, by its place among the fields behind it; -1: it has none. */
static int bit_of(const struct tep_event *event, const struct tep_format_field *field)
{
	const struct tep_format_field *f = event->format.fields;
	int bit = 0;

	if (!f || strcmp(f->name, "__absent") != 0)
		return -1;
	for (f = f->next; f && f != field; f = f->next)
		bit++;
	return f && bit < 32 ? bit : -1;
}

uint32_t print_probe__guard(struct print_builder *bld, struct tep_print_arg *arg)
{
	const struct tep_format_field *field = field_of(arg, bld->event);
	int bit = field ? bit_of(bld->event, field) : -1;
	struct tep_print_arg absent = { .type = TEP_PRINT_FIELD },
			     mask = { .type = TEP_PRINT_ATOM };
	struct tep_print_arg both = { .type = TEP_PRINT_OP };
	char op_text[] = "&", name[] = "__absent", bits[16];
	struct print_val val;
	struct print_op *op;
	uint32_t jz, jmp;

	if (bit < 0)
		return PRINT_PROBE_UNGUARDED;
	snprintf(bits, sizeof(bits), "%u", 1u << bit);
	absent.field.name = name;
	absent.field.field = bld->event->format.fields;
	mask.atom.atom = bits;
	both.op.op = op_text;
	both.op.left = &absent;
	both.op.right = &mask;
	if (!print_expr__compile(bld, &both, &val))
		return PRINT_PROBE_UNGUARDED;
	jz = bld->plan->op_cnt;
	op = print_builder__op(bld, PRINT_JZ);
	if (!op)
		return PRINT_PROBE_UNGUARDED;
	op->val = val;
	print_builder__literal(bld, NOT_IN_MEMORY, strlen(NOT_IN_MEMORY));
	jmp = bld->plan->op_cnt;
	if (bld->why_not || !print_builder__op(bld, PRINT_JMP))
		return PRINT_PROBE_UNGUARDED;
	bld->plan->ops[jz].a = bld->label = bld->plan->op_cnt;
	return jmp;
}

void print_probe__end_guard(struct print_builder *bld, uint32_t guard)
{
	if (guard != PRINT_PROBE_UNGUARDED && !bld->why_not)
		bld->plan->ops[guard].a = bld->label = bld->plan->op_cnt;
}

void print_probe__mark_quoted(struct print_builder *bld, uint32_t first, const char *behind)
{
	const char *system = bld->event->system;
	uint32_t i;

	if (!system || strncmp(system, "probe", strlen("probe")) != 0 ||
	    strncmp(behind, "\\\"", 2) != 0)
		return;
	for (i = first; i < bld->plan->op_cnt; i++) {
		struct print_op *op = &bld->plan->ops[i];

		if (op->kind == PRINT_STR_PLAIN)
			op->conv = '"';
	}
}
