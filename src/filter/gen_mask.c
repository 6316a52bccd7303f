// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* Generates code for CPUS{…} against a number and against a set of CPUs. */
#include "filter/gen.h"

#include <string.h>

/* r5 = bit r4 of the mask, 0 or 1; r4 is below cpu_cnt, and is clobbered. */
static void load_bit(struct gen *g, const uint64_t *mask)
{
	struct code *c = g->c;

	if (g->cpu_cnt <= 64) {
		code__mov64(c, CODE_R5, mask[0]);
	} else {
		size_t off = code__add_table(c, mask, FILTER_MASK_WORDS * sizeof(*mask));

		code__mov(c, CODE_R0, CODE_R4);
		code__alu(c, BPF_RSH, CODE_R0, 6);
		code__alu(c, BPF_AND, CODE_R0, FILTER_MASK_WORDS - 1);
		code__alu(c, BPF_LSH, CODE_R0, 3);
		code__table(c, CODE_R5, off);
		code__alu_reg(c, BPF_ADD, CODE_R5, CODE_R0);
		code__load(c, 8, CODE_R5, CODE_R5, 0);
		code__alu(c, BPF_AND, CODE_R4, 63);
	}
	code__alu_reg(c, BPF_RSH, CODE_R5, CODE_R4);
	code__alu(c, BPF_AND, CODE_R5, 1);
}

/*
 * The kernel's do_filter_scalar_cpumask(): a set of two or more never equals one CPU. A number that
 * is not a CPU fails every comparison.
 */
void gen__cpu_in(struct gen *g, const struct filter_pred *pred, code_label lt, code_label lf)
{
	struct code *c = g->c;

	gen__load_number(g, pred);
	if (pred->size == 8) {
		/* The kernel's CPU is an unsigned int. */
		code__alu(c, BPF_LSH, CODE_R4, 32);
		code__alu(c, BPF_RSH, CODE_R4, 32);
	}
	code__if(c, BPF_JGE, CODE_R4, g->cpu_cnt, CODE_R5, lf);
	if (pred->op == FILTER_AND) {
		load_bit(g, pred->mask);
		code__if(c, BPF_JNE, CODE_R5, 0, CODE_R0, lt);
		code__goto(c, lf);
	} else if (pred->op == FILTER_NE) {
		code__goto(c, lt);
	} else {
		/* Below, or not below: false, in a form that keeps lt reachable. */
		code__if(c, BPF_JGE, CODE_R4, g->cpu_cnt, CODE_R5, lt);
		code__goto(c, lf);
	}
}

void gen__locate(struct gen *g, const struct filter_pred *pred)
{
	struct code *c = g->c;

	code__load(c, 4, CODE_R4, CODE_R1, (int16_t)pred->off);
	code__mov(c, CODE_R2, CODE_R4);
	code__alu(c, BPF_RSH, CODE_R2, 16);
	code__alu(c, BPF_AND, CODE_R4, 0xffff);
	if (pred->where == FILTER_AT_RELATIVE)
		code__alu(c, BPF_ADD, CODE_R4, pred->off + 4);
}

/* Bits of word i that correspond to a CPU. */
static uint64_t valid_bits(unsigned int cpu_cnt, unsigned int i)
{
	unsigned int left = cpu_cnt - 64 * i;

	return left >= 64 ? ~0ULL : (1ULL << left) - 1;
}

/* The set against one in the record: equal, different, or with common CPUs. */
void gen__mask(struct gen *g, const struct filter_pred *pred, code_label lt, code_label lf)
{
	unsigned int words = (g->cpu_cnt + 63) / 64, i;
	struct code *c = g->c;

	gen__locate(g, pred);
	code__if(c, BPF_JGT, CODE_R4, FILTER_LOC_MAX, CODE_R5, lf);
	code__alu_reg(c, BPF_ADD, CODE_R4, CODE_R1);
	for (i = 0; i < words; i++) {
		uint64_t valid = valid_bits(g->cpu_cnt, i), want = pred->mask[i] & valid;

		code__load_odd(c, 8, CODE_R0, CODE_R4, (int16_t)(8 * i), CODE_R5);
		if (pred->op == FILTER_AND) {
			code__if(c, BPF_JSET, CODE_R0, want, CODE_R5, lt);
			continue;
		}
		if (valid != ~0ULL) {
			code__mov64(c, CODE_R5, valid);
			code__alu_reg(c, BPF_AND, CODE_R0, CODE_R5);
		}
		code__if(c, BPF_JNE, CODE_R0, want, CODE_R5, pred->op == FILTER_NE ? lt : lf);
	}
	code__goto(c, pred->op == FILTER_EQ ? lt : lf);
}
