/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Stores, loads, copies and branches of arm64 (Arm Architecture Reference Manual, C4.1), as far as
 * the instructions before a function's first branch have to be known.
 */
#ifndef BPFPERF_UTIL_ARM64_INSN_H
#define BPFPERF_UTIL_ARM64_INSN_H

#include <stdbool.h>
#include <stdint.h>

/* Registers: x0 to x30, then sp or xzr; v0 to v31 from here on. As bits: 1 << number. */
#define ARM64_SP 31
#define ARM64_FP 29
#define ARM64_VECTOR 32
/* All registers but sp. */
#define ARM64_ALL (~(1ull << ARM64_SP))

enum arm64_kind {
	ARM64_OTHER, /* it works on registers */
	ARM64_STORE, /* of one register or two, to base + disp */
	ARM64_LOAD, /* likewise */
	ARM64_ELSEWHERE, /* it may write anywhere in memory, or is not known */
	ARM64_BRANCH,
	ARM64_BRANCH_BACK, /* a conditional one to an address before */
	ARM64_CALL,
};

/* Which value the register `to` has behind the instruction. */
enum arm64_rule {
	ARM64_NEW, /* another one, and so has the vector register of this number */
	ARM64_COPY, /* the value of `a`, or a part of it */
	ARM64_MASK, /* the value of `a` or `b`, masked by the other */
	ARM64_MERGE, /* parts of the values of `a` and `b` */
	ARM64_KEEP, /* no register is written */
};

struct arm64_insn {
	enum arm64_kind kind;
	/* ARM64_STORE and ARM64_LOAD */
	uint8_t cnt, regs[2];
	uint8_t base;
	int64_t disp;
	int64_t base_add; /* added to the base behind it */
	uint32_t size; /* bytes of each register */
	/* ARM64_OTHER */
	enum arm64_rule rule;
	uint8_t to, a, b;
	bool is_sum; /* to = a + disp, where 31 is sp */
	bool changes_sp; /* in another way */
};

void arm64_insn__decode(uint32_t insn, struct arm64_insn *i);
/*
 * Follows one instruction. *old: registers with an old value, or a part of one, as bits.
 * old_in_memory: the bits of i->regs that a load fills with an old value.
 */
void arm64_insn__follow(const struct arm64_insn *i, uint64_t old_in_memory, uint64_t *old);

#endif
