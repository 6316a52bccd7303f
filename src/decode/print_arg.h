/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Inside of decode/print: the arguments of %s and %p. */
#ifndef BPFPERF_DECODE_PRINT_ARG_H
#define BPFPERF_DECODE_PRINT_ARG_H

#include "decode/print_expr.h"

/* Where the field lies. */
struct print_loc print_arg__loc(const struct tep_format_field *field);
/* The same of a __data_loc or __rel_loc, by the name that __get_str() and __get_bitmask() are given. */
bool print_arg__dynamic_loc(struct print_builder *bld, struct tep_format_field *field,
			    struct print_loc *loc);
/* The same of the array that __print_hex() or __print_array() is given, perhaps behind casts. */
bool print_arg__array_loc(struct print_builder *bld, struct tep_print_arg *arg,
			  struct print_loc *loc);
/* The ops of one %s. */
void print_arg__string(struct print_builder *bld, const struct print_spec *spec,
		       struct tep_print_arg *arg);
/* print_pointer.c: the ops of one %p; `ext` is the format behind the p. Returns how much of it belongs to the %p. */
size_t print_arg__pointer(struct print_builder *bld, const struct print_spec *spec, const char *ext,
			  struct tep_print_arg *arg);

#endif
