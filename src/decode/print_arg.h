/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Private to decode/print: the arguments of %s and %p. */
#ifndef BPFPERF_DECODE_PRINT_ARG_H
#define BPFPERF_DECODE_PRINT_ARG_H

#include "decode/print_expr.h"

/* Returns the location of a field in the record. */
struct print_loc print_arg__loc(const struct tep_format_field *field);
/*
 * Finds the location of a __data_loc or __rel_loc field by its name, the argument of __get_str()
 * and __get_bitmask().
 */
bool print_arg__dynamic_loc(struct print_builder *bld, struct tep_format_field *field,
			    struct print_loc *loc);
/*
 * Finds the location of the array argument of __print_hex() or __print_array(), perhaps behind
 * casts.
 */
bool print_arg__array_loc(struct print_builder *bld, struct tep_print_arg *arg,
			  struct print_loc *loc);
/* Appends the ops of one %s. */
void print_arg__string(struct print_builder *bld, const struct print_spec *spec,
		       struct tep_print_arg *arg);
/*
 * print_pointer.c: appends the ops of one %p; `ext` is the format behind the p. Returns the length
 * of the part of ext that belongs to the %p.
 */
size_t print_arg__pointer(struct print_builder *bld, const struct print_spec *spec, const char *ext,
			  struct tep_print_arg *arg);

#endif
