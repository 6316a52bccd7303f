/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * libdw's rules for a pc, evaluated over registers and memory that hold noise: the meaning of an
 * expression, however it is written.
 */
#ifndef BPFPERF_TESTS_UNWIND_EVAL_H
#define BPFPERF_TESTS_UNWIND_EVAL_H

#include <stdbool.h>
#include <stdint.h>

#include <dwarf.h>
#include <elfutils/libdw.h>

#include "util/hash.h"

/* A machine of noise. */
struct noise {
	uint64_t seed;
	uint64_t pc;
	uint8_t pc_reg; /* x86-64: the pc is a register that expressions use */
};

static inline uint64_t noise_reg(const struct noise *n, uint64_t reg)
{
	if (reg == n->pc_reg)
		return n->pc;
	/* A stack address, like those that the walker asks for. */
	return (hash__mix(n->seed ^ (reg + 1)) & 0x7fffffff8) + (1ull << 40);
}

static inline uint64_t noise_mem(const struct noise *n, uint64_t addr)
{
	return (hash__mix(n->seed * 31 ^ addr) & 0x7fffffff8) + (1ull << 41);
}

struct eval {
	const struct noise *noise;
	uint64_t cfa;
	uint64_t stack[64];
	unsigned int depth;
	bool bad, is_reg, is_value;
};

static inline void eval_push(struct eval *e, uint64_t v)
{
	if (e->depth == 64)
		e->bad = true;
	else
		e->stack[e->depth++] = v;
}

static inline uint64_t eval_pop(struct eval *e)
{
	if (e->depth)
		return e->stack[--e->depth];
	e->bad = true;
	return 0;
}

static inline void eval_binary(struct eval *e, uint8_t op)
{
	uint64_t b = eval_pop(e), a = eval_pop(e);

	switch (op) {
	case DW_OP_plus:
		eval_push(e, a + b);
		break;
	case DW_OP_minus:
		eval_push(e, a - b);
		break;
	case DW_OP_and:
		eval_push(e, a & b);
		break;
	case DW_OP_shl:
		eval_push(e, a << (b & 63));
		break;
	case DW_OP_ge:
		eval_push(e, (int64_t)a >= (int64_t)b);
		break;
	default:
		e->bad = true;
	}
}

static inline void eval_op(struct eval *e, const Dwarf_Op *op)
{
	if (op->atom >= DW_OP_breg0 && op->atom <= DW_OP_breg31) {
		eval_push(e, noise_reg(e->noise, op->atom - DW_OP_breg0) + op->number);
	} else if (op->atom >= DW_OP_lit0 && op->atom <= DW_OP_lit31) {
		eval_push(e, op->atom - DW_OP_lit0);
	} else if (op->atom >= DW_OP_reg0 && op->atom <= DW_OP_reg31) {
		eval_push(e, noise_reg(e->noise, op->atom - DW_OP_reg0));
		e->is_reg = true;
	} else if (op->atom == DW_OP_bregx) {
		eval_push(e, noise_reg(e->noise, op->number) + op->number2);
	} else if (op->atom == DW_OP_regx) {
		eval_push(e, noise_reg(e->noise, op->number));
		e->is_reg = true;
	} else if (op->atom == DW_OP_call_frame_cfa) {
		eval_push(e, e->cfa);
	} else if (op->atom == DW_OP_plus_uconst) {
		eval_push(e, eval_pop(e) + op->number);
	} else if (op->atom == DW_OP_deref) {
		eval_push(e, noise_mem(e->noise, eval_pop(e)));
	} else if (op->atom == DW_OP_stack_value) {
		e->is_value = true;
	} else {
		eval_binary(e, op->atom);
	}
}

/* Evaluates the operations; cfa is the value of DW_OP_call_frame_cfa. */
static inline struct eval eval_ops(const struct noise *n, uint64_t cfa, const Dwarf_Op *ops,
				   size_t cnt)
{
	struct eval e = { .noise = n, .cfa = cfa };
	size_t i;

	for (i = 0; i < cnt; i++)
		eval_op(&e, &ops[i]);
	return e;
}

enum known { KNOWN, UNDEFINED, UNKNOWN };

/* libdw's CFA of a frame. */
static inline enum known libdw_cfa(Dwarf_Frame *frame, const struct noise *n, uint64_t *cfa)
{
	Dwarf_Op *ops;
	struct eval e;
	size_t cnt;

	if (dwarf_frame_cfa(frame, &ops, &cnt) || !cnt)
		return UNKNOWN;
	e = eval_ops(n, 0, ops, cnt);
	*cfa = eval_pop(&e);
	return e.bad ? UNKNOWN : KNOWN;
}

/* The caller's value of a register. */
static inline enum known libdw_reg(Dwarf_Frame *frame, const struct noise *n, uint64_t cfa, int reg,
				   uint64_t *v)
{
	Dwarf_Op mem[3], *ops;
	struct eval e;
	size_t cnt;

	if (dwarf_frame_register(frame, reg, mem, &ops, &cnt))
		return UNKNOWN;
	if (!cnt) {
		*v = noise_reg(n, (uint64_t)reg);
		return ops ? UNDEFINED : KNOWN;
	}
	e = eval_ops(n, cfa, ops, cnt);
	*v = eval_pop(&e);
	if (!e.is_reg && !e.is_value)
		*v = noise_mem(n, *v);
	return e.bad ? UNKNOWN : KNOWN;
}

#endif
