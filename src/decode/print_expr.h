/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Inside of decode/print: the expressions of a print format, compiled. */
#ifndef BPFPERF_DECODE_PRINT_EXPR_H
#define BPFPERF_DECODE_PRINT_EXPR_H

#include "decode/print_plan.h"

struct tep_format_field;
struct tep_print_arg;

/* A plan in the making. */
struct print_builder {
	struct print_plan *plan;
	struct tep_event *event;
	uint32_t insn_cap, op_cap, sym_cap, spec_cap, pool_cap;
	uint32_t label; /* ops from here on are not jumped into */
	const char *why_not; /* first reason to give up */
};

/* Makes an operand of `arg`. False with bld->why_not set where that cannot be done. */
bool print_expr__compile(struct print_builder *bld, struct tep_print_arg *arg,
			 struct print_val *val);
/* The field an argument names, or NULL (unknown to the event: libtraceevent reads 0). */
struct tep_format_field *print_expr__field(struct print_builder *bld, struct tep_print_arg *arg);
/* Keeps the field inside what a plan may read without a check. False: it gave up. */
bool print_expr__use_field(struct print_builder *bld, const struct tep_format_field *field);
/* Room for one more element in a growing array of the plan. False and why_not. */
bool print_builder__grow(struct print_builder *bld, void **array, uint32_t cnt, uint32_t *cap,
			 size_t elem_sz);

#endif
