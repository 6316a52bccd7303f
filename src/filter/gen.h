/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Code for one predicate each: goes to lt where it is true, to lf where it is
 * not. `next` is the one of the two that comes right behind, so that no jump
 * is needed there. Internal to filter/.
 *
 * Verifiers from 5.10 on must take it, so: jumps go forward, but for the loop
 * that steps an automaton, in which no two ways meet again (each way out is
 * taken first, ends at once, and is known from then on); a value is compared
 * in the register that is used afterwards; nothing that a loop computes is
 * known to the verifier, or it would follow each value on its own.
 */
#ifndef BPFPERF_FILTER_GEN_H
#define BPFPERF_FILTER_GEN_H

#include "filter/ast.h"

struct gen {
	struct code *c;
	unsigned int cpu_cnt;
};

void gen__number(struct gen *g, const struct filter_pred *pred, code_label lt, code_label lf,
		 code_label next);
void gen__range(struct gen *g, const struct filter_pred *pred, code_label lt, code_label lf);
void gen__cpu_in(struct gen *g, const struct filter_pred *pred, code_label lt, code_label lf);
void gen__mask(struct gen *g, const struct filter_pred *pred, code_label lt, code_label lf);
void gen__text(struct gen *g, const struct filter_pred *pred, code_label lt, code_label lf);

/* r4 = the number the predicate compares, zero-extended. */
void gen__load_number(struct gen *g, const struct filter_pred *pred);
/*
 * r4 = offset in the entry of the dynamic data that the word at pred->off tells of, r2 = its bytes.
 */
void gen__locate(struct gen *g, const struct filter_pred *pred);
/*
 * Copies a text, with its NUL or cut, to env + `to`, which has sz bytes (a multiple of 8), zeros
 * behind it.
 */
void gen__copy_text(struct gen *g, const struct filter_pred *at, int16_t to, uint32_t sz);

#endif
