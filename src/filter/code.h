/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Writes BPF instructions: an assembler with labels. Jumps go forward and, in loops, back;
 * code__finish() returns an error for a jump over more than 32767 instructions. Constant tables are
 * stored separately, in a read-only map that the loader creates from code->tables.
 *
 * bpf/patch_point.bpf.h defines the registers at a patch point: r1 the entry, r2 the tracepoint's
 * id, r3 the environment; r0 and r4, r5 are free.
 */
#ifndef BPFPERF_FILTER_CODE_H
#define BPFPERF_FILTER_CODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <linux/bpf.h>

#include "util/strbuf.h"

enum { CODE_R0, CODE_R1, CODE_R2, CODE_R3, CODE_R4, CODE_R5, CODE_R10 = 10 };

typedef uint32_t code_label;

struct code_label_pos {
	int32_t at; /* instruction, or -1: not bound yet */
};

struct code_jump {
	uint32_t insn;
	code_label to;
};

struct code {
	struct bpf_insn *insns;
	size_t cnt, cap;
	struct code_label_pos *labels;
	size_t label_cnt, label_cap;
	struct code_jump *jumps;
	size_t jump_cnt, jump_cap;
	size_t last_bound; /* the highest instruction that a label is bound to */
	struct strbuf tables; /* 8-byte aligned pieces */
	/*
	 * Offset of 16 bytes of stack below r10 that no other code uses, for code that needs more
	 * registers or calls a helper: r10 + spill_off. Negative.
	 */
	int16_t spill_off;
	bool only_aligned; /* the CPU cannot load from odd addresses */
	int err; /* the first failure */
};

void code__free(struct code *c);
/*
 * Ends the code: 0, or the first error: -ENOMEM, or -E2BIG if a jump is too far. All labels must be
 * bound.
 */
int code__finish(struct code *c);

/* Creates a label; code__bind() binds it to the next instruction. */
code_label code__label(struct code *c);
void code__bind(struct code *c, code_label label);

/* True if any jump targets the label. */
bool code__is_used(const struct code *c, code_label label);

/* Appends one instruction unchanged. */
void code__insn(struct code *c, uint8_t op, uint8_t dst, uint8_t src, int16_t off, int32_t imm);
/* dst = val, in one or two instructions. */
void code__mov64(struct code *c, uint8_t dst, uint64_t val);
/* dst = the address of code->tables + off. */
void code__table(struct code *c, uint8_t dst, size_t off);
/* Appends `sz` bytes to the tables and returns their offset. */
size_t code__add_table(struct code *c, const void *data, size_t sz);
/* goto label */
void code__goto(struct code *c, code_label label);
/*
 * if (dst OP val) goto label, where op is BPF_JEQ, BPF_JGT …; a `val` beyond 32 bits goes through
 * tmp.
 */
void code__if(struct code *c, uint8_t op, uint8_t dst, uint64_t val, uint8_t tmp, code_label label);
/* if (dst OP src) goto label */
void code__if_reg(struct code *c, uint8_t op, uint8_t dst, uint8_t src, code_label label);
/* dst = the `sz` bytes (1, 2, 4 or 8) at base + off, zero-extended. */
void code__load(struct code *c, uint8_t sz, uint8_t dst, uint8_t base, int16_t off);
/*
 * Loads from a base + off that may be odd; tmp is used if the CPU requires it. dst, base and tmp
 * differ.
 */
void code__load_odd(struct code *c, uint8_t sz, uint8_t dst, uint8_t base, int16_t off,
		    uint8_t tmp);

/* dst OP= imm and dst OP= src, 64 bits. */
static inline void code__alu(struct code *c, uint8_t op, uint8_t dst, int32_t imm)
{
	code__insn(c, BPF_ALU64 | op | BPF_K, dst, 0, 0, imm);
}

static inline void code__alu_reg(struct code *c, uint8_t op, uint8_t dst, uint8_t src)
{
	code__insn(c, BPF_ALU64 | op | BPF_X, dst, src, 0, 0);
}

static inline void code__mov(struct code *c, uint8_t dst, uint8_t src)
{
	code__alu_reg(c, BPF_MOV, dst, src);
}

/* *(u64 *)(base + off) = src */
static inline void code__store64(struct code *c, uint8_t base, int16_t off, uint8_t src)
{
	code__insn(c, BPF_STX | BPF_MEM | BPF_DW, base, src, off, 0);
}

#endif
