// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "decode/print_expr.h"

#include <stdlib.h>
#include <traceevent/event-parse.h>

#include "decode/print_eval.h"

static struct insn *emit(struct print_builder *bld, enum insn_op op)
{
	struct print_plan *plan = bld->plan;
	struct insn *insn;

	if (!print_builder__grow(bld, (void **)&plan->insns, plan->insn_cnt, &bld->insn_cap,
				 sizeof(*insn)))
		return NULL;
	insn = &plan->insns[plan->insn_cnt++];
	memset(insn, 0, sizeof(*insn));
	insn->op = (uint8_t)op;
	return insn;
}

static bool emit_imm(struct print_builder *bld, enum insn_op op, uint64_t imm)
{
	struct insn *insn = emit(bld, op);

	if (insn)
		insn->imm = imm;
	return insn;
}

struct tep_format_field *print_expr__field(struct print_builder *bld, struct tep_print_arg *arg)
{
	if (!arg->field.field)
		arg->field.field = tep_find_any_field(bld->event, arg->field.name);
	return arg->field.field;
}

bool print_expr__use_field(struct print_builder *bld, const struct tep_format_field *field)
{
	if (field->offset < 0 || field->size < 0 || field->offset + field->size > UINT16_MAX) {
		bld->why_not = "a field lies beyond 64 KiB";
		return false;
	}
	if ((uint32_t)(field->offset + field->size) > bld->plan->fixed_sz)
		bld->plan->fixed_sz = (uint32_t)(field->offset + field->size);
	return true;
}

static bool is_number_size(int size)
{
	return size == 1 || size == 2 || size == 4 || size == 8;
}

static bool emit_field(struct print_builder *bld, struct tep_print_arg *arg)
{
	struct tep_format_field *field = print_expr__field(bld, arg);
	struct insn *insn;

	if (!field || !is_number_size(field->size))
		return emit_imm(bld, INSN_IMM, 0);
	if (!print_expr__use_field(bld, field))
		return false;
	insn = emit(bld, INSN_LOAD);
	if (!insn)
		return false;
	insn->off = (uint16_t)field->offset;
	insn->size = (uint8_t)field->size;
	return true;
}

/* Returns the mask of a cast: libtraceevent knows these types, and always zero-extends. */
static uint64_t cast_mask(const char *type, size_t len)
{
	static const struct {
		const char *name;
		unsigned int bits;
	} known[] = {
		{ "u8", 8 },   { "s8", 8 },   { "u16", 16 },   { "s16", 16 }, { "u32", 32 },
		{ "s32", 32 }, { "char", 8 }, { "short", 16 }, { "int", 32 },
	};
	size_t i;

	if (len > 9 && !memcmp(type, "unsigned ", 9)) {
		type += 9;
		len -= 9;
	}
	for (i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		if (strlen(known[i].name) == len && !memcmp(known[i].name, type, len))
			return (1ULL << known[i].bits) - 1;
	return UINT64_MAX;
}

static bool emit_mask(struct print_builder *bld, uint64_t mask)
{
	struct insn *last = &bld->plan->insns[bld->plan->insn_cnt - 1];

	if (mask == UINT64_MAX)
		return true;
	if (last->op == INSN_IMM) {
		last->imm &= mask;
		return true;
	}
	/* The load is not wider than the cast, so no mask is needed. */
	if (last->op == INSN_LOAD && last->size < 8 && mask >> (8 * last->size - 1))
		return true;
	return emit_imm(bld, INSN_MASK, mask);
}

static bool emit_arg(struct print_builder *bld, struct tep_print_arg *arg, unsigned int depth);

/* Compiles FIELD[i] or ((type *)__get_dynamic_array(x))[i]. */
static bool emit_elem(struct print_builder *bld, struct tep_print_arg *arg, unsigned int depth)
{
	struct tep_print_arg *larg = arg->op.left, *cast = NULL;
	struct tep_format_field *field;
	uint32_t start = bld->plan->insn_cnt;
	unsigned int size;
	struct insn *insn;
	size_t len;

	for (; larg->type == TEP_PRINT_TYPE; larg = larg->typecast.item)
		if (!cast)
			cast = larg;
	if (!emit_arg(bld, arg->op.right, depth + 1))
		return false;
	if (larg->type == TEP_PRINT_DYNAMIC_ARRAY) {
		field = larg->dynarray.field;
		size = field->elementsize ? field->elementsize : 8;
	} else if (larg->type == TEP_PRINT_FIELD) {
		field = print_expr__field(bld, larg);
		size = field ? field->elementsize : 0;
	} else {
		bld->why_not = "an index into something that is no field";
		return false;
	}
	if (!field || !is_number_size((int)size)) {
		/* An unknown element reads as 0 for any index. */
		return emit_imm(bld, INSN_MASK, 0);
	}
	if (!print_expr__use_field(bld, field))
		return false;
	insn = &bld->plan->insns[start];
	if (larg->type == TEP_PRINT_FIELD && bld->plan->insn_cnt == start + 1 &&
	    insn->op == INSN_IMM && insn->imm < (unsigned int)field->size / size) {
		/*
		 * A constant index within the array: the element is loaded like any other number.
		 */
		insn->op = INSN_LOAD;
		insn->off = (uint16_t)((unsigned int)field->offset + insn->imm * size);
	} else {
		insn = emit(bld, larg->type == TEP_PRINT_FIELD ? INSN_ELEM : INSN_DYN_ELEM);
		if (!insn)
			return false;
		insn->off = (uint16_t)field->offset;
	}
	insn->size = (uint8_t)size;
	insn->rel = field->flags & TEP_FIELD_IS_RELATIVE;
	insn->imm = 0;
	len = cast ? strlen(cast->typecast.type) : 0;
	/* "u32 *": the cast is to a pointer, elements have the size of its target. */
	if (len > 2 && cast->typecast.type[len - 1] == '*')
		return emit_mask(bld, cast_mask(cast->typecast.type, len - 2));
	return true;
}

static bool emit_cond(struct print_builder *bld, struct tep_print_arg *arg, unsigned int depth)
{
	struct print_plan *plan = bld->plan;
	uint32_t start = plan->insn_cnt, jz, jmp;
	struct tep_print_arg *branches = arg->op.right;

	if (!branches || branches->type != TEP_PRINT_OP) {
		bld->why_not = "a ? without its :";
		return false;
	}
	if (!emit_arg(bld, arg->op.left, depth))
		return false;
	if (plan->insn_cnt == start + 1 && plan->insns[start].op == INSN_IMM) {
		plan->insn_cnt = start;
		return emit_arg(bld,
				plan->insns[start].imm ? branches->op.left : branches->op.right,
				depth);
	}
	jz = plan->insn_cnt;
	if (!emit_imm(bld, INSN_JZ, 0) || !emit_arg(bld, branches->op.left, depth))
		return false;
	jmp = plan->insn_cnt;
	if (!emit_imm(bld, INSN_JMP, 0))
		return false;
	plan->insns[jz].imm = plan->insn_cnt;
	if (!emit_arg(bld, branches->op.right, depth))
		return false;
	plan->insns[jmp].imm = plan->insn_cnt;
	/* A no-op as jump target, since constants must not be folded across it. */
	return emit_imm(bld, INSN_MASK, UINT64_MAX);
}

static int binary_op(const char *op)
{
	static const struct {
		const char *text;
		enum insn_op op;
	} ops[] = {
		{ "|", INSN_OR },   { "||", INSN_LOR }, { "&", INSN_AND }, { "&&", INSN_LAND },
		{ "^", INSN_XOR },  { "<", INSN_LT },   { "<=", INSN_LE }, { ">", INSN_GT },
		{ ">=", INSN_GE },  { "==", INSN_EQ },  { "!=", INSN_NE }, { "<<", INSN_SHL },
		{ ">>", INSN_SHR }, { "+", INSN_ADD },  { "-", INSN_SUB }, { "*", INSN_MUL },
		{ "/", INSN_DIV },  { "%", INSN_MOD },
	};
	size_t i;

	for (i = 0; i < sizeof(ops) / sizeof(ops[0]); i++)
		if (!strcmp(op, ops[i].text))
			return (int)ops[i].op;
	return -1;
}

static bool emit_op(struct print_builder *bld, struct tep_print_arg *arg, unsigned int depth)
{
	struct print_plan *plan = bld->plan;
	const char *text = arg->op.op;
	uint32_t left = plan->insn_cnt, right;
	struct insn *l, *r;
	int op;

	if (!strcmp(text, "["))
		return emit_elem(bld, arg, depth);
	if (!strcmp(text, "?"))
		return emit_cond(bld, arg, depth);
	if (!strcmp(text, "!") || !strcmp(text, "~")) {
		if (!emit_arg(bld, arg->op.right, depth))
			return false;
		r = &plan->insns[plan->insn_cnt - 1];
		if (r->op == INSN_IMM && plan->insn_cnt == left + 1) {
			r->imm = *text == '!' ? !r->imm : ~r->imm;
			return true;
		}
		return emit(bld, *text == '!' ? INSN_NOT : INSN_INV);
	}
	op = binary_op(text);
	if (op < 0) {
		bld->why_not = "an unknown operator";
		return false;
	}
	if (!emit_arg(bld, arg->op.left, depth))
		return false;
	right = plan->insn_cnt;
	if (!emit_arg(bld, arg->op.right, depth + 1))
		return false;
	l = &plan->insns[left];
	r = &plan->insns[right];
	if (right == left + 1 && plan->insn_cnt == right + 1 && l->op == INSN_IMM &&
	    r->op == INSN_IMM) {
		l->imm = print_eval__apply((enum insn_op)op, l->imm, r->imm);
		plan->insn_cnt = right;
		return true;
	}
	return emit(bld, (enum insn_op)op);
}

static bool emit_dyn(struct print_builder *bld, struct tep_print_arg *arg, enum insn_op op)
{
	struct tep_format_field *field = arg->dynarray.field;
	struct insn *insn;

	if (field->size != 4) {
		bld->why_not = "a dynamic array without a 4-byte location";
		return false;
	}
	if (!print_expr__use_field(bld, field))
		return false;
	insn = emit(bld, op);
	if (!insn)
		return false;
	insn->off = (uint16_t)field->offset;
	insn->rel = field->flags & TEP_FIELD_IS_RELATIVE;
	return true;
}

/* Compiles an argument that pushes one number; `depth` numbers are on the stack already. */
static bool emit_arg(struct print_builder *bld, struct tep_print_arg *arg, unsigned int depth)
{
	if (depth >= PRINT_MAX_STACK) {
		bld->why_not = "an expression nested too deep";
		return false;
	}
	if (!arg)
		return emit_imm(bld, INSN_IMM, 0);
	switch (arg->type) {
	case TEP_PRINT_ATOM:
		/* A name is no number: libtraceevent looks it up as a symbol, if it has symbols. */
		return emit_imm(bld, INSN_IMM, strtoull(arg->atom.atom, NULL, 0));
	case TEP_PRINT_FIELD:
		return emit_field(bld, arg);
	case TEP_PRINT_TYPE:
		return emit_arg(bld, arg->typecast.item, depth) &&
		       emit_mask(bld, cast_mask(arg->typecast.type, strlen(arg->typecast.type)));
	case TEP_PRINT_OP:
		return emit_op(bld, arg, depth);
	case TEP_PRINT_DYNAMIC_ARRAY_LEN:
		return emit_dyn(bld, arg, INSN_DYN_LEN);
	case TEP_PRINT_DYNAMIC_ARRAY:
		return emit_dyn(bld, arg, INSN_DYN_OFF);
	case TEP_PRINT_FUNC:
		bld->why_not = "a function of a libtraceevent plugin";
		return false;
	default:
		/* Strings and the like evaluate to 0. */
		return emit_imm(bld, INSN_IMM, 0);
	}
}

bool print_expr__compile(struct print_builder *bld, struct tep_print_arg *arg,
			 struct print_val *val)
{
	struct print_plan *plan = bld->plan;
	uint32_t start = plan->insn_cnt;
	struct insn *insn;

	memset(val, 0, sizeof(*val));
	if (!emit_arg(bld, arg, 0))
		return false;
	insn = &plan->insns[start];
	if (plan->insn_cnt == start + 1 && insn->op == INSN_IMM) {
		val->kind = VAL_IMM;
		val->imm = insn->imm;
		plan->insn_cnt = start;
		return true;
	}
	if (plan->insn_cnt == start + 1 && insn->op == INSN_LOAD) {
		val->kind = VAL_LOAD;
		val->size = insn->size;
		val->off = insn->off;
		plan->insn_cnt = start;
		return true;
	}
	val->kind = VAL_CODE;
	val->code = start;
	return emit(bld, INSN_END);
}
