// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "decode/print_builder.h"

#include <stdlib.h>
#include <string.h>

bool print_builder__grow(struct print_builder *bld, void **array, uint32_t cnt, uint32_t *cap,
			 size_t elem_sz)
{
	uint32_t bigger_cap = *cap ? *cap * 2 : 16;
	void *bigger;

	if (cnt < *cap)
		return true;
	bigger = realloc(*array, bigger_cap * elem_sz);
	if (!bigger) {
		bld->why_not = "out of memory";
		return false;
	}
	*array = bigger;
	*cap = bigger_cap;
	return true;
}

struct print_op *print_builder__op(struct print_builder *bld, enum print_op_kind kind)
{
	struct print_plan *plan = bld->plan;
	struct print_op *op;

	if (!print_builder__grow(bld, (void **)&plan->ops, plan->op_cnt, &bld->op_cap, sizeof(*op)))
		return NULL;
	op = &plan->ops[plan->op_cnt++];
	memset(op, 0, sizeof(*op));
	op->kind = (uint8_t)kind;
	return op;
}

uint32_t print_builder__pool(struct print_builder *bld, const char *text, size_t len)
{
	struct print_plan *plan = bld->plan;
	uint32_t at = plan->pool_len;

	/* Literals are copied in blocks of 16 bytes. */
	while (plan->pool_len + len + 16 > bld->pool_cap)
		if (!print_builder__grow(bld, (void **)&plan->pool, bld->pool_cap, &bld->pool_cap,
					 1))
			return 0;
	if (len)
		memcpy(plan->pool + at, text, len);
	plan->pool_len += (uint32_t)len;
	return at;
}

void print_builder__literal(struct print_builder *bld, const char *text, size_t len)
{
	struct print_plan *plan = bld->plan;
	struct print_op *op;
	uint32_t at;

	if (!len)
		return;
	at = print_builder__pool(bld, text, len);
	if (bld->why_not)
		return;
	op = plan->op_cnt > bld->label ? &plan->ops[plan->op_cnt - 1] : NULL;
	if (op && op->kind == PRINT_LIT && op->a + op->b == at) {
		op->b += (uint32_t)len;
		return;
	}
	op = print_builder__op(bld, PRINT_LIT);
	if (!op)
		return;
	op->a = at;
	op->b = (uint32_t)len;
}

uint16_t print_builder__spec(struct print_builder *bld, const struct print_spec *spec)
{
	struct print_plan *plan = bld->plan;

	if (spec->conv == 's' && print_spec__is_bare(spec))
		return 0;
	if (plan->spec_cnt > UINT16_MAX) {
		bld->why_not = "too many conversions";
		return 0;
	}
	if (!print_builder__grow(bld, (void **)&plan->specs, plan->spec_cnt, &bld->spec_cap,
				 sizeof(*spec)))
		return 0;
	plan->specs[plan->spec_cnt] = *spec;
	return (uint16_t)plan->spec_cnt++;
}
