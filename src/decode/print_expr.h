/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Private to decode/print: compiles the expressions of a print format. */
#ifndef BPFPERF_DECODE_PRINT_EXPR_H
#define BPFPERF_DECODE_PRINT_EXPR_H

#include "decode/print_builder.h"

struct tep_format_field;
struct tep_print_arg;

/* Makes an operand of `arg`. False, with bld->why_not set, if that is impossible. */
bool print_expr__compile(struct print_builder *bld, struct tep_print_arg *arg,
			 struct print_val *val);
/* Returns the field that an argument names, or NULL (unknown field: libtraceevent reads 0). */
struct tep_format_field *print_expr__field(struct print_builder *bld, struct tep_print_arg *arg);
/*
 * Checks that a plan may read the field without a bounds check. False: the format is not compiled.
 */
bool print_expr__use_field(struct print_builder *bld, const struct tep_format_field *field);

#endif
