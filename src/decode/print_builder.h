/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Private to decode/print: builds a plan. */
#ifndef BPFPERF_DECODE_PRINT_BUILDER_H
#define BPFPERF_DECODE_PRINT_BUILDER_H

#include "decode/print_plan.h"

struct print_builder {
	struct print_plan *plan;
	struct tep_event *event;
	uint32_t insn_cap, op_cap, sym_cap, spec_cap, pool_cap;
	uint32_t label; /* no jump goes to an op from here on, so ops may be merged */
	const char *why_not; /* first reason why the format cannot be compiled */
};

/* All functions of the builder set bld->why_not on failure, and return NULL or 0. */

/* Appends an op; it is valid until the next call. */
struct print_op *print_builder__op(struct print_builder *bld, enum print_op_kind kind);
/* Appends to the pool; returns the offset. */
uint32_t print_builder__pool(struct print_builder *bld, const char *text, size_t len);
/* Appends literal text, merged with a literal right before it. */
void print_builder__literal(struct print_builder *bld, const char *text, size_t len);
/* Stores the spec; returns its index, 0 for a bare %s. */
uint16_t print_builder__spec(struct print_builder *bld, const struct print_spec *spec);

/* Makes room for one more element in an array of the plan. False, with why_not set, on failure. */
bool print_builder__grow(struct print_builder *bld, void **array, uint32_t cnt, uint32_t *cap,
			 size_t elem_sz);

#endif
