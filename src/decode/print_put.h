/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* A plan at work on one record: numbers and texts as printf's conversions write them, and the rarer ops. */
#ifndef BPFPERF_DECODE_PRINT_PUT_H
#define BPFPERF_DECODE_PRINT_PUT_H

#include "decode/print_eval.h"

struct print_run {
	const struct print_plan *plan;
	struct printer *pr;
	const struct print_rec *rec;
	struct strbuf *out;
};

/* The low bits of v, with their sign. */
uint64_t print_put__truncated(uint64_t v, unsigned int bits, bool is_signed);
/* printf's integer conversions in general. */
void print_put__number(const struct print_run *run, const struct print_op *op);
/* Up to max bytes of text under a spec. */
void print_put__text(const struct print_run *run, const struct print_spec *spec, const char *text,
		     size_t max);

/* Any op but the hot ones (up to PRINT_JMP), PRINT_STR and PRINT_STR_PLAIN, which print_run.c does itself. */
void print_op__run(const struct print_run *run, const struct print_op *op);

#endif
