/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Private to decode/print: evaluates compiled expressions. */
#ifndef BPFPERF_DECODE_PRINT_EVAL_H
#define BPFPERF_DECODE_PRINT_EVAL_H

#include "decode/print_plan.h"

/* Returns the result of a binary operator; a division by 0 yields 0. */
uint64_t print_eval__apply(enum insn_op op, uint64_t l, uint64_t r);
/* Evaluates VAL_CODE. */
uint64_t print_eval__run(const struct insn *insns, uint32_t start, const struct print_rec *rec);

static inline uint64_t print_val__eval(const struct print_plan *plan, const struct print_val *val,
				       const struct print_rec *rec)
{
	if (__builtin_expect(val->kind == VAL_LOAD, 1))
		return number__read(rec->data + val->off, val->size);
	if (val->kind == VAL_IMM)
		return val->imm;
	return print_eval__run(plan->insns, val->code, rec);
}

#endif
