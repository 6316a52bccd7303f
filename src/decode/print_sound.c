// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * Checks a plan that a reader has answered: its ops and expressions are run as they are, without
 * bounds. Jumps go forward, so that each run ends, and each insn has one depth of the stack.
 */
#include <stdlib.h>

#include "decode/print_plan.h"

/* State of one check. */
struct check {
	const struct print_plan *plan;
	int8_t *depths; /* by insn: numbers on the stack before it; UNREACHED */
};

#define UNREACHED (-1)

static bool is_number_size(unsigned int size)
{
	return size == 1 || size == 2 || size == 4 || size == 8;
}

/* Only 0 and 1 may be read as a bool. */
static bool is_bool(const bool *value)
{
	uint8_t byte;

	memcpy(&byte, value, 1);
	return byte <= 1;
}

static bool is_fixed(const struct print_plan *plan, uint32_t off, uint32_t size)
{
	return off + size <= plan->fixed_sz;
}

static bool is_part(uint32_t first, uint32_t cnt, uint32_t all)
{
	return first <= all && cnt <= all - first;
}

/* Is it a part of the pool that may be printed as it is? A tab is the one control character. */
static bool is_text(const struct print_plan *plan, uint32_t first, uint32_t len)
{
	const char *text = plan->pool + first, *end = text + len, *tab;

	if (!is_part(first, len, plan->pool_len))
		return false;
	for (; text < end; text = tab + 1) {
		tab = memchr(text, '\t', (size_t)(end - text));
		tab = tab ?: end;
		if (strbuf__has_control(text, (size_t)(tab - text)))
			return false;
	}
	return true;
}

/* Says that an insn is reached with so many numbers on the stack; false if it is no such insn. */
static bool reach(struct check *c, uint64_t insn, int depth)
{
	if (insn >= c->plan->insn_cnt || depth > PRINT_MAX_STACK)
		return false;
	if (c->depths[insn] == UNREACHED)
		c->depths[insn] = (int8_t)depth;
	return c->depths[insn] == depth;
}

/* Checks the operands of an insn. */
static bool is_sound_insn(const struct print_plan *plan, const struct insn *insn)
{
	if (insn->op > INSN_MOD || !is_bool(&insn->rel))
		return false;
	switch ((enum insn_op)insn->op) {
	case INSN_LOAD:
		return is_number_size(insn->size) && is_fixed(plan, insn->off, insn->size);
	case INSN_ELEM:
		return is_number_size(insn->size);
	case INSN_DYN_ELEM:
		return is_number_size(insn->size) && is_fixed(plan, insn->off, 4);
	case INSN_DYN_LEN:
	case INSN_DYN_OFF:
		return is_fixed(plan, insn->off, 4);
	default:
		return true;
	}
}

/* Numbers that an insn takes from the stack, and the growth of the stack by it. */
static void effect_of(const struct insn *insn, int *takes, int *grows)
{
	switch ((enum insn_op)insn->op) {
	case INSN_IMM:
	case INSN_LOAD:
	case INSN_DYN_LEN:
	case INSN_DYN_OFF:
		*takes = 0;
		*grows = 1;
		return;
	case INSN_JMP:
		*takes = *grows = 0;
		return;
	case INSN_END:
	case INSN_ELEM:
	case INSN_DYN_ELEM:
	case INSN_MASK:
	case INSN_NOT:
	case INSN_INV:
		*takes = 1;
		*grows = 0;
		return;
	case INSN_JZ:
		*takes = 1;
		*grows = -1;
		return;
	default:
		*takes = 2;
		*grows = -1;
	}
}

/* Follows the expressions from their first insns on, which are marked. */
static bool are_sound_insns(struct check *c)
{
	const struct print_plan *plan = c->plan;
	int depth, takes, grows;
	uint32_t i;

	for (i = 0; i < plan->insn_cnt; i++) {
		const struct insn *insn = &plan->insns[i];
		bool jumps = insn->op == INSN_JZ || insn->op == INSN_JMP;

		depth = c->depths[i];
		if (depth == UNREACHED)
			continue;
		if (!is_sound_insn(plan, insn))
			return false;
		effect_of(insn, &takes, &grows);
		if (depth < takes)
			return false;
		depth += grows;
		if (jumps && (insn->imm <= i || !reach(c, insn->imm, depth)))
			return false;
		if (insn->op != INSN_JMP && insn->op != INSN_END && !reach(c, i + 1, depth))
			return false;
	}
	return true;
}

static bool is_sound_val(struct check *c, const struct print_val *val)
{
	switch (val->kind) {
	case VAL_IMM:
		return true;
	case VAL_LOAD:
		return is_number_size(val->size) && is_fixed(c->plan, val->off, val->size);
	case VAL_CODE:
		return reach(c, val->code, 0);
	default:
		return false;
	}
}

static bool is_sound_loc(const struct print_plan *plan, const struct print_loc *loc)
{
	if (!is_bool(&loc->dynamic) || !is_bool(&loc->rel))
		return false;
	return is_fixed(plan, loc->off, loc->size) &&
	       (!loc->dynamic || is_fixed(plan, loc->off, 4));
}

/* Checks what the kind of an op reads beside its values, its location and its conversion. */
static bool is_sound_kind(const struct print_plan *plan, const struct print_op *op)
{
	switch ((enum print_op_kind)op->kind) {
	case PRINT_LIT:
	case PRINT_STR_LIT:
		return is_text(plan, op->a, op->b);
	case PRINT_FLAGS:
		return is_part(op->a, op->b, plan->sym_cnt) &&
		       is_text(plan, op->delim, op->delim_len);
	case PRINT_SYMBOL:
		return is_part(op->a, op->b, plan->sym_cnt);
	case PRINT_JZ:
	case PRINT_JMP:
		return op->a > (uint32_t)(op - plan->ops) && op->a <= plan->op_cnt;
	case PRINT_MAC:
		return is_fixed(plan, op->loc.off, 6);
	case PRINT_IP4:
		return is_fixed(plan, op->loc.off, 4);
	case PRINT_IP6:
	case PRINT_UUID:
		return is_fixed(plan, op->loc.off, 16);
	default:
		return true;
	}
}

static bool are_sound_ops(struct check *c)
{
	const struct print_plan *plan = c->plan;
	uint32_t i;

	for (i = 0; i < plan->op_cnt; i++) {
		const struct print_op *op = &plan->ops[i];

		if (op->kind > PRINT_FIELD_RAW || op->spec >= plan->spec_cnt ||
		    !is_sound_val(c, &op->val) || !is_sound_val(c, &op->aux) ||
		    !is_sound_loc(plan, &op->loc) || !is_sound_kind(plan, op))
			return false;
	}
	return true;
}

static bool are_sound_specs(struct check *c)
{
	uint32_t i;

	for (i = 0; i < c->plan->spec_cnt; i++) {
		const struct print_spec *spec = &c->plan->specs[i];

		if (spec->width > PRINT_WIDTH_MAX || spec->prec > PRINT_WIDTH_MAX ||
		    !is_sound_val(c, &spec->star))
			return false;
	}
	return true;
}

static bool are_sound_names(const struct print_plan *plan)
{
	uint32_t i;

	for (i = 0; i < plan->sym_cnt; i++)
		if (!is_text(plan, plan->syms[i].str, plan->syms[i].len))
			return false;
	return true;
}

bool print_plan__is_sound(const struct print_plan *plan)
{
	struct check c = { plan, malloc(plan->insn_cnt + 1) };
	bool is_sound = false;

	if (!c.depths)
		return false;
	memset(c.depths, UNREACHED, plan->insn_cnt);
	if (plan->fixed_sz <= PRINT_RAW_MAX && plan->spec_cnt)
		is_sound = are_sound_ops(&c) && are_sound_specs(&c) && are_sound_names(plan) &&
			   are_sound_insns(&c);
	free(c.depths);
	return is_sound;
}
