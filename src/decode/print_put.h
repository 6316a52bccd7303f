/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Runs a plan on one record: printf's conversions of numbers and texts, and the rarer ops. */
#ifndef BPFPERF_DECODE_PRINT_PUT_H
#define BPFPERF_DECODE_PRINT_PUT_H

#include "decode/print_eval.h"

struct print_run {
	const struct print_plan *plan;
	struct printer *pr;
	const struct print_rec *rec;
	struct strbuf *out;
};

/* Returns the low bits of v, sign-extended if signed. */
uint64_t print_put__truncated(uint64_t v, unsigned int bits, bool is_signed);
/* Implements printf's integer conversions in general. */
void print_put__number(const struct print_run *run, const struct print_op *op);
/* Puts up to max bytes of text with a spec. */
void print_put__text(const struct print_run *run, const struct print_spec *spec, const char *text,
		     size_t max);

/*
 * Runs any op but the hot ones (up to PRINT_JMP), PRINT_STR and PRINT_STR_PLAIN, which print_run.c
 * runs itself.
 */
void print_op__run(const struct print_run *run, const struct print_op *op);

#endif
