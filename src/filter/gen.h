/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Code for one predicate each: jumps to lt if it is true, to lf if not. `next` is the label of the
 * two that follows immediately, so that no jump to it is needed. Internal to filter/.
 *
 * Verifiers from 5.10 on must accept the code, so: jumps go forward, except for the loop that steps
 * an automaton, in which no two paths join again (each exit is taken first, ends at once, and is
 * known from then on); a value is compared in the register that is used afterwards; the verifier
 * must not know any value that a loop computes, or it would follow each value separately.
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
 * r4 = offset in the entry of the dynamic data described by the word at pred->off, r2 = its size.
 */
void gen__locate(struct gen *g, const struct filter_pred *pred);
/*
 * Copies a text, with its NUL or truncated, to env + `to`, which has sz bytes (a multiple of 8),
 * and fills the rest with zeros.
 */
void gen__copy_text(struct gen *g, const struct filter_pred *at, int16_t to, uint32_t sz);

#endif
