// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "decode/print_arg.h"

#include <ctype.h>
#include <stdlib.h>
#include <traceevent/event-parse.h>

struct print_loc print_arg__loc(const struct tep_format_field *field)
{
	return (struct print_loc){
		.off = (uint16_t)field->offset,
		.size = (uint16_t)field->size,
		.dynamic = field->flags & TEP_FIELD_IS_DYNAMIC,
		.rel = field->flags & TEP_FIELD_IS_RELATIVE,
	};
}

bool print_arg__dynamic_loc(struct print_builder *bld, struct tep_format_field *field,
			    struct print_loc *loc)
{
	if (field->size != 4) {
		bld->why_not = "a dynamic array without a 4-byte location";
		return false;
	}
	*loc = print_arg__loc(field);
	loc->dynamic = true;
	return print_expr__use_field(bld, field);
}

/* Looks up flags and symbols that the kernel left as names in its format files. */
static int64_t sym_value(const char *text)
{
	static const struct {
		const char *name;
		int64_t val;
	} known[] = {
		{ "HI_SOFTIRQ", 0 },      { "TIMER_SOFTIRQ", 1 },     { "NET_TX_SOFTIRQ", 2 },
		{ "NET_RX_SOFTIRQ", 3 },  { "BLOCK_SOFTIRQ", 4 },     { "IRQ_POLL_SOFTIRQ", 5 },
		{ "TASKLET_SOFTIRQ", 6 }, { "SCHED_SOFTIRQ", 7 },     { "HRTIMER_SOFTIRQ", 8 },
		{ "RCU_SOFTIRQ", 9 },     { "HRTIMER_NORESTART", 0 }, { "HRTIMER_RESTART", 1 },
	};
	size_t i;

	if (isdigit((unsigned char)*text))
		return (int64_t)strtoull(text, NULL, 0);
	for (i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		if (!strcmp(text, known[i].name))
			return known[i].val;
	return -1;
}

/* Copies a symbol table into the plan; `first` gets the index of its first entry. */
static uint32_t add_syms(struct print_builder *bld, const struct tep_print_flag_sym *sym,
			 uint32_t *first)
{
	struct print_plan *plan = bld->plan;

	*first = plan->sym_cnt;
	for (; sym; sym = sym->next) {
		struct print_sym entry = { .val = sym_value(sym->value),
					   .len = (uint32_t)strlen(sym->str) };

		entry.str = print_builder__pool(bld, sym->str, entry.len);
		if (!print_builder__grow(bld, (void **)&plan->syms, plan->sym_cnt, &bld->sym_cap,
					 sizeof(entry)))
			return 0;
		plan->syms[plan->sym_cnt++] = entry;
	}
	return plan->sym_cnt - *first;
}

static void string_of_field(struct print_builder *bld, const struct print_spec *spec,
			    struct tep_print_arg *arg)
{
	struct tep_format_field *field = print_expr__field(bld, arg);
	struct print_op *op;

	if (!field)
		return;
	if (!print_expr__use_field(bld, field))
		return;
	/* A number of the size of an address is taken for the address of a constant string. */
	if (!(field->flags & TEP_FIELD_IS_ARRAY) && field->size == (int)sizeof(long)) {
		op = print_builder__op(bld, PRINT_STR_ADDR);
		if (op)
			print_expr__compile(bld, arg, &op->val);
		return;
	}
	op = print_builder__op(bld, PRINT_STR);
	if (!op)
		return;
	op->loc = print_arg__loc(field);
	op->loc.dynamic = false;
	op->spec = print_builder__spec(bld, spec);
	if (!op->spec)
		op->kind = PRINT_STR_PLAIN;
}

/* Puts an op for dynamic data that is found by name: text or bits. */
static void string_of_dynamic(struct print_builder *bld, const struct print_spec *spec,
			      enum print_op_kind kind, const char *name)
{
	struct tep_format_field *field = tep_find_any_field(bld->event, name);
	struct print_loc loc;
	struct print_op *op;

	if (!field || !print_arg__dynamic_loc(bld, field, &loc))
		return;
	op = print_builder__op(bld, kind);
	if (!op)
		return;
	op->loc = loc;
	/* All bits of the data are printed. */
	op->val.imm = UINT32_MAX;
	op->spec = print_builder__spec(bld, spec);
	if (kind == PRINT_STR && !op->spec)
		op->kind = PRINT_STR_PLAIN;
}

static void string_literal(struct print_builder *bld, const struct print_spec *spec,
			   const char *text)
{
	uint16_t idx = print_builder__spec(bld, spec);
	struct print_op *op;

	if (!idx) {
		print_builder__literal(bld, text, strlen(text));
		return;
	}
	op = print_builder__op(bld, PRINT_STR_LIT);
	if (!op)
		return;
	op->spec = idx;
	op->b = (uint32_t)strlen(text);
	op->a = print_builder__pool(bld, text, op->b);
}

static void string_of_table(struct print_builder *bld, const struct print_spec *spec,
			    struct tep_print_arg *arg)
{
	bool flags = arg->type == TEP_PRINT_FLAGS;
	struct print_op op = { .kind = flags ? PRINT_FLAGS : PRINT_SYMBOL };
	struct print_op *added;

	if (!print_expr__compile(bld, flags ? arg->flags.field : arg->symbol.field, &op.val))
		return;
	op.b = add_syms(bld, flags ? arg->flags.flags : arg->symbol.symbols, &op.a);
	if (flags && arg->flags.delim) {
		op.delim_len = (uint32_t)strlen(arg->flags.delim);
		op.delim = print_builder__pool(bld, arg->flags.delim, op.delim_len);
	}
	op.spec = print_builder__spec(bld, spec);
	added = print_builder__op(bld, PRINT_FLAGS);
	if (added)
		*added = op;
}

bool print_arg__array_loc(struct print_builder *bld, struct tep_print_arg *arg,
			  struct print_loc *loc)
{
	struct tep_format_field *field;

	while (arg && arg->type == TEP_PRINT_TYPE)
		arg = arg->typecast.item;
	if (arg && arg->type == TEP_PRINT_DYNAMIC_ARRAY)
		return print_arg__dynamic_loc(bld, arg->dynarray.field, loc);
	field = arg && arg->type == TEP_PRINT_FIELD ? print_expr__field(bld, arg) : NULL;
	if (!field) {
		bld->why_not = "an array that is no field";
		return false;
	}
	*loc = print_arg__loc(field);
	loc->dynamic = false;
	return print_expr__use_field(bld, field);
}

static void string_of_array(struct print_builder *bld, struct tep_print_arg *arg)
{
	bool numbers = arg->type == TEP_PRINT_INT_ARRAY;
	struct print_op op = { .kind = numbers ? PRINT_ARRAY : PRINT_HEX };
	struct print_op *added;

	op.conv = arg->type == TEP_PRINT_HEX ? ' ' : 0;
	if (!print_arg__array_loc(bld, numbers ? arg->int_array.field : arg->hex.field, &op.loc) ||
	    !print_expr__compile(bld, numbers ? arg->int_array.count : arg->hex.size, &op.val) ||
	    (numbers && !print_expr__compile(bld, arg->int_array.el_size, &op.aux)))
		return;
	added = print_builder__op(bld, PRINT_HEX);
	if (added)
		*added = op;
}

/* Compiles cond ? string : string. */
static void string_of_cond(struct print_builder *bld, const struct print_spec *spec,
			   struct tep_print_arg *arg)
{
	struct print_plan *plan = bld->plan;
	struct tep_print_arg *branches = arg->op.right;
	struct print_val val;
	struct print_op *op;
	uint32_t jz, jmp;

	/* libtraceevent prints nothing for the string of any other operator. */
	if (arg->op.op[0] != '?' || !branches || branches->type != TEP_PRINT_OP)
		return;
	if (!print_expr__compile(bld, arg->op.left, &val))
		return;
	if (val.kind == VAL_IMM) {
		print_arg__string(bld, spec, val.imm ? branches->op.left : branches->op.right);
		return;
	}
	jz = plan->op_cnt;
	op = print_builder__op(bld, PRINT_JZ);
	if (!op)
		return;
	op->val = val;
	print_arg__string(bld, spec, branches->op.left);
	jmp = plan->op_cnt;
	if (bld->why_not || !print_builder__op(bld, PRINT_JMP))
		return;
	plan->ops[jz].a = bld->label = plan->op_cnt;
	print_arg__string(bld, spec, branches->op.right);
	if (bld->why_not)
		return;
	plan->ops[jmp].a = bld->label = plan->op_cnt;
	/* An empty else part needs no jump. */
	if (plan->op_cnt == jmp + 1)
		plan->ops[jz].a = bld->label = plan->op_cnt = jmp;
}

void print_arg__string(struct print_builder *bld, const struct print_spec *spec,
		       struct tep_print_arg *arg)
{
	if (!arg)
		return;
	switch (arg->type) {
	case TEP_PRINT_ATOM:
		string_literal(bld, spec, arg->atom.atom);
		break;
	case TEP_PRINT_BSTRING:
		string_literal(bld, spec, arg->string.string);
		break;
	case TEP_PRINT_FIELD:
		string_of_field(bld, spec, arg);
		break;
	case TEP_PRINT_FLAGS:
	case TEP_PRINT_SYMBOL:
		string_of_table(bld, spec, arg);
		break;
	case TEP_PRINT_HEX:
	case TEP_PRINT_HEX_STR:
	case TEP_PRINT_INT_ARRAY:
		string_of_array(bld, arg);
		break;
	case TEP_PRINT_STRING:
		string_of_dynamic(bld, spec, PRINT_STR, arg->string.string);
		break;
	case TEP_PRINT_BITMASK:
		string_of_dynamic(bld, spec, PRINT_BITMASK, arg->bitmask.bitmask);
		break;
	case TEP_PRINT_CPUMASK:
		string_of_dynamic(bld, spec, PRINT_CPUMASK, arg->bitmask.bitmask);
		break;
	case TEP_PRINT_OP:
		string_of_cond(bld, spec, arg);
		break;
	case TEP_PRINT_FUNC:
		bld->why_not = "a function of a libtraceevent plugin";
		break;
	default:
		/*
		 * Casts, lengths, addresses of dynamic data print nothing, like in libtraceevent.
		 */
		break;
	}
}
