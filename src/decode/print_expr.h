/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Inside of decode/print: the expressions of a print format, compiled. */
#ifndef BPFPERF_DECODE_PRINT_EXPR_H
#define BPFPERF_DECODE_PRINT_EXPR_H

#include "decode/print_builder.h"

struct tep_format_field;
struct tep_print_arg;

/* Makes an operand of `arg`. False with bld->why_not set where that cannot be done. */
bool print_expr__compile(struct print_builder *bld, struct tep_print_arg *arg,
			 struct print_val *val);
/* The field an argument names, or NULL (unknown to the event: libtraceevent reads 0). */
struct tep_format_field *print_expr__field(struct print_builder *bld, struct tep_print_arg *arg);
/* Keeps the field inside what a plan may read without a check. False: it gave up. */
bool print_expr__use_field(struct print_builder *bld, const struct tep_format_field *field);

#endif
