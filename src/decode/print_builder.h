/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Inside of decode/print: a plan in the making, and how it grows. */
#ifndef BPFPERF_DECODE_PRINT_BUILDER_H
#define BPFPERF_DECODE_PRINT_BUILDER_H

#include "decode/print_plan.h"

struct print_builder {
	struct print_plan *plan;
	struct tep_event *event;
	uint32_t insn_cap, op_cap, sym_cap, spec_cap, pool_cap;
	uint32_t label; /* ops from here on are not jumped into */
	const char *why_not; /* first reason to give up */
};

/* All of the builder's functions set bld->why_not where they fail, and then return NULL or 0. */

/* Appends an op; valid until the next call. */
struct print_op *print_builder__op(struct print_builder *bld, enum print_op_kind kind);
/* Appends to the pool; its offset there. */
uint32_t print_builder__pool(struct print_builder *bld, const char *text, size_t len);
/* Appends literal text, to the literal before where there is one. */
void print_builder__literal(struct print_builder *bld, const char *text, size_t len);
/* Keeps the spec; its index, 0 for a bare %s. */
uint16_t print_builder__spec(struct print_builder *bld, const struct print_spec *spec);

/* Room for one more element in a growing array of the plan. False and why_not. */
bool print_builder__grow(struct print_builder *bld, void **array, uint32_t cnt, uint32_t *cap,
			 size_t elem_sz);

#endif
