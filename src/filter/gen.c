// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* Generates code from the parsed filter: the expression, numbers and addresses. */
#include "filter/gen.h"

#include <linux/types.h>

#include "bpf/wire.h"

/* if (dst OP val) → lt, else → lf; `inverse` is the opposite of op. */
static void branch(struct code *c, uint8_t op, uint8_t inverse, uint64_t val, code_label lt,
		   code_label lf, code_label next)
{
	if (next == lt) {
		code__if(c, inverse, CODE_R4, val, CODE_R5, lf);
		return;
	}
	code__if(c, op, CODE_R4, val, CODE_R5, lt);
	code__goto(c, lf);
}

void gen__load_number(struct gen *g, const struct filter_pred *pred)
{
	if (pred->where == FILTER_AT_CPU)
		code__load(g->c, 4, CODE_R4, CODE_R3, offsetof(struct patch_env, cpu));
	else
		code__load(g->c, (uint8_t)pred->size, CODE_R4, CODE_R1, (int16_t)pred->off);
}

/* Truncates `val` to the size of the field, as the kernel does. */
static uint64_t truncate(uint64_t val, const struct filter_pred *pred, bool is_signed)
{
	unsigned int bits = 64 - 8 * pred->size;

	return is_signed ? (uint64_t)((int64_t)(val << bits) >> bits) : val << bits >> bits;
}

void gen__number(struct gen *g, const struct filter_pred *pred, code_label lt, code_label lf,
		 code_label next)
{
	static const struct {
		uint8_t op, inverse, signed_op, signed_inverse;
	} jumps[] = {
		[FILTER_EQ] = { BPF_JEQ, BPF_JNE, BPF_JEQ, BPF_JNE },
		[FILTER_NE] = { BPF_JNE, BPF_JEQ, BPF_JNE, BPF_JEQ },
		[FILTER_LT] = { BPF_JLT, BPF_JGE, BPF_JSLT, BPF_JSGE },
		[FILTER_LE] = { BPF_JLE, BPF_JGT, BPF_JSLE, BPF_JSGT },
		[FILTER_GT] = { BPF_JGT, BPF_JLE, BPF_JSGT, BPF_JSLE },
		[FILTER_GE] = { BPF_JGE, BPF_JLT, BPF_JSGE, BPF_JSLT },
	};
	bool ordered = pred->op >= FILTER_LT && pred->op <= FILTER_GE;
	uint64_t val = truncate(pred->val, pred, ordered && pred->is_signed);
	struct code *c = g->c;

	gen__load_number(g, pred);
	if (pred->op == FILTER_AND) {
		code__if(c, BPF_JSET, CODE_R4, val, CODE_R5, lt);
		code__goto(c, lf);
		return;
	}
	if (ordered && pred->is_signed && pred->size < 8) {
		code__alu(c, BPF_LSH, CODE_R4, 64 - 8 * pred->size);
		code__alu(c, BPF_ARSH, CODE_R4, 64 - 8 * pred->size);
	}
	if (pred->is_signed)
		branch(c, jumps[pred->op].signed_op, jumps[pred->op].signed_inverse, val, lt, lf,
		       next);
	else
		branch(c, jumps[pred->op].op, jumps[pred->op].inverse, val, lt, lf, next);
}

void gen__range(struct gen *g, const struct filter_pred *pred, code_label lt, code_label lf)
{
	code_label inside = pred->op == FILTER_NE ? lf : lt;
	code_label outside = pred->op == FILTER_NE ? lt : lf;

	gen__load_number(g, pred);
	code__if(g->c, BPF_JLT, CODE_R4, pred->val, CODE_R5, outside);
	code__if(g->c, BPF_JGE, CODE_R4, pred->end, CODE_R5, outside);
	code__goto(g->c, inside);
}

/* Always false, in a form in which verifiers do not treat the other branch as unreachable. */
static void gen_never(struct gen *g, code_label lt, code_label lf)
{
	code__load(g->c, 4, CODE_R4, CODE_R3, offsetof(struct patch_env, cpu));
	code__alu(g->c, BPF_AND, CODE_R4, 0);
	code__if(g->c, BPF_JNE, CODE_R4, 0, CODE_R5, lt);
	code__goto(g->c, lf);
}

static void gen_pred(struct gen *g, const struct filter_pred *pred, code_label lt, code_label lf,
		     code_label next)
{
	switch (pred->kind) {
	case FILTER_NUMBER:
		gen__number(g, pred, lt, lf, next);
		break;
	case FILTER_TEXT:
		gen__text(g, pred, lt, lf);
		break;
	case FILTER_RANGE:
		gen__range(g, pred, lt, lf);
		break;
	case FILTER_CPU_IN:
		gen__cpu_in(g, pred, lt, lf);
		break;
	case FILTER_MASK:
		gen__mask(g, pred, lt, lf);
		break;
	case FILTER_NEVER:
		gen_never(g, lt, lf);
		break;
	}
}

/* Jumps to `unknown` if the record does not have the value. */
static void gen_absent(struct gen *g, const struct filter_pred *pred, code_label unknown)
{
	code__load(g->c, 4, CODE_R4, CODE_R1, (int16_t)pred->absent_off);
	code__if(g->c, BPF_JSET, CODE_R4, 1ull << pred->absent_bit, CODE_R5, unknown);
}

/* is_inverted: an odd number of `!` stands before the node. */
static void gen_node(struct gen *g, const struct filter *f, uint32_t idx, code_label lt,
		     code_label lf, code_label next, bool is_inverted)
{
	const struct filter_node *n = &f->nodes[idx];
	code_label mid;

	if (n->invert) {
		code_label swap = lt;

		lt = lf;
		lf = swap;
		is_inverted = !is_inverted;
	}
	if (n->kind == FILTER_NODE_PRED) {
		const struct filter_pred *pred = &f->preds[n->a];

		/* Neither a comparison with a value that is not there nor its opposite is true. */
		if (pred->absent_off)
			gen_absent(g, pred, is_inverted ? lt : lf);
		gen_pred(g, pred, lt, lf, next);
		return;
	}
	mid = code__label(g->c);
	if (n->kind == FILTER_NODE_AND)
		gen_node(g, f, n->a, mid, lf, mid, is_inverted);
	else
		gen_node(g, f, n->a, lt, mid, mid, is_inverted);
	code__bind(g->c, mid);
	gen_node(g, f, n->b, lt, lf, next, is_inverted);
}

void filter__compile(const struct filter *f, struct code *c, code_label pass, code_label reject)
{
	struct gen g = { c, f->cpu_cnt };

	gen_node(&g, f, f->root, pass, reject, pass, false);
}
