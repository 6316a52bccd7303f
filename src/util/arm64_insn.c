// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "util/arm64_insn.h"

#include <string.h>

/* Registers that a call need not preserve: x0 to x18, x30, and all of v. */
#define CALL_CLOBBERS (0xffffffff00000000ull | 0x4007ffffull)

static uint32_t field(uint32_t insn, unsigned int from, unsigned int bits)
{
	return insn >> from & ((1u << bits) - 1);
}

static int64_t signed_field(uint32_t insn, unsigned int from, unsigned int bits)
{
	return (int32_t)(insn << (32 - bits - from)) >> (32 - bits);
}

static bool is_vector(uint32_t insn)
{
	return field(insn, 26, 1);
}

static uint8_t reg_of(uint32_t insn, unsigned int at)
{
	return (uint8_t)(field(insn, at, 5) + (is_vector(insn) ? ARM64_VECTOR : 0));
}

/* LDP and STP. */
static void decode_pair(uint32_t insn, struct arm64_insn *i)
{
	const uint32_t opc = field(insn, 30, 2), mode = field(insn, 23, 2);
	const bool is_load = field(insn, 22, 1);

	/* LDPSW loads words; its store has tags. */
	if (opc == 3 || (!is_vector(insn) && opc == 1 && !is_load))
		return;
	i->kind = is_load ? ARM64_LOAD : ARM64_STORE;
	i->cnt = 2;
	i->regs[0] = reg_of(insn, 0);
	i->regs[1] = reg_of(insn, 10);
	i->size = is_vector(insn) ? 4u << opc : opc == 2 ? 8 : 4;
	i->disp = signed_field(insn, 15, 7) * i->size;
	/* 1: the base changes behind the access, 3: before it */
	if (mode & 1)
		i->base_add = i->disp;
	if (mode == 1)
		i->disp = 0;
}

/* One register, and an immediate offset. */
static void decode_single(uint32_t insn, struct arm64_insn *i)
{
	const uint32_t opc = field(insn, 22, 2), size = field(insn, 30, 2);
	const bool is_scaled = field(insn, 24, 1), is_wide = is_vector(insn) && opc & 2;
	const uint32_t mode = field(insn, 10, 2);

	if (is_wide && size)
		return;
	/* A prefetch reads no register. */
	if (!is_vector(insn) && size == 3 && opc == 2) {
		i->kind = ARM64_OTHER;
		i->rule = ARM64_KEEP;
		return;
	}
	i->kind = (is_vector(insn) ? opc & 1 : opc) ? ARM64_LOAD : ARM64_STORE;
	i->cnt = 1;
	i->regs[0] = reg_of(insn, 0);
	i->size = is_wide ? 16 : 1u << size;
	if (is_scaled) {
		i->disp = (int64_t)field(insn, 10, 12) * i->size;
		return;
	}
	i->disp = signed_field(insn, 12, 9);
	if (mode & 1)
		i->base_add = i->disp;
	if (mode == 1)
		i->disp = 0;
}

static void decode_memory(uint32_t insn, struct arm64_insn *i)
{
	const uint32_t group = field(insn, 27, 3);

	i->kind = ARM64_ELSEWHERE;
	i->base = (uint8_t)field(insn, 5, 5);
	if (group == 5) {
		decode_pair(insn, i);
	} else if (group == 7 && (field(insn, 24, 1) || !field(insn, 21, 1))) {
		decode_single(insn, i);
	} else if (group == 7 && field(insn, 10, 2) == 2 && field(insn, 22, 2)) {
		/* A load by an offset in a register. */
		i->kind = ARM64_OTHER;
		i->to = (uint8_t)field(insn, 0, 5);
	} else if (group == 3 && !field(insn, 24, 2)) {
		/* A load of a constant beside the code. */
		i->kind = ARM64_OTHER;
		i->to = (uint8_t)field(insn, 0, 5);
	}
	/* A vector of 128 bits is stored by opc 2. */
	if (group == 7 && i->kind == ARM64_OTHER && i->rule == ARM64_NEW && is_vector(insn) &&
	    !(field(insn, 22, 2) & 1))
		i->kind = ARM64_ELSEWHERE;
}

static void decode_branch(uint32_t insn, struct arm64_insn *i)
{
	const bool is_hint = (insn & 0xfffff01f) == 0xd503201f;
	const bool has_condition =
		(insn & 0xff000010) == 0x54000000 || (insn & 0x7e000000) == 0x34000000;

	if (is_hint || (insn & 0xfff00000) == 0xd5300000) {
		/* A hint may sign an address; else a system's register is read. */
		i->rule = is_hint ? ARM64_KEEP : ARM64_NEW;
		return;
	}
	i->kind = ARM64_BRANCH;
	if (insn >> 26 == 0x25 || (insn & 0xfffffc1f) == 0xd63f0000)
		i->kind = ARM64_CALL;
	else if (has_condition && signed_field(insn, 5, 19) < 0)
		i->kind = ARM64_BRANCH_BACK;
}

static void set_copy(struct arm64_insn *i, unsigned int to, unsigned int from)
{
	i->rule = ARM64_COPY;
	i->to = (uint8_t)to;
	i->a = (uint8_t)from;
}

/*
 * Comparisons that write flags alone: ccmp and ccmn, fccmp and fcmp. Bits of flags stand where
 * others have a register.
 */
static bool is_comparison(uint32_t insn)
{
	return (insn & 0x3fe00000) == 0x3a400000 || (insn & 0xff200c00) == 0x1e200400 ||
	       (insn & 0xff20fc07) == 0x1e202000;
}

/* Copies between registers and parts of their values. */
static void decode_copy(uint32_t insn, struct arm64_insn *i)
{
	const unsigned int rd = field(insn, 0, 5), rn = field(insn, 5, 5), rm = field(insn, 16, 5);

	if ((insn & 0x7fe0ffe0) == 0x2a0003e0) {
		set_copy(i, rd, rm);
	} else if ((insn & 0x7f800000) == 0x13000000 || (insn & 0x7f800000) == 0x53000000) {
		set_copy(i, rd, rn); /* sbfm, ubfm: extensions and shifts */
	} else if ((insn & 0x7f800000) == 0x33000000) {
		set_copy(i, rd, rn); /* bfm */
		i->b = (uint8_t)rd;
		i->rule = ARM64_MERGE;
	} else if ((insn & 0x7f800000) == 0x12000000 && rd != ARM64_SP) {
		set_copy(i, rd, rn); /* and with a constant */
	} else if ((insn & 0x7f200000) == 0x0a000000) {
		set_copy(i, rd, rn); /* and */
		i->b = (uint8_t)rm;
		i->rule = ARM64_MASK;
	} else if ((insn & 0xfffffc00) == 0x1e260000 || (insn & 0xfffffc00) == 0x9e660000) {
		set_copy(i, rd, ARM64_VECTOR + rn);
	} else if ((insn & 0xfffffc00) == 0x1e270000 || (insn & 0xfffffc00) == 0x9e670000) {
		set_copy(i, ARM64_VECTOR + rd, rn);
	} else if ((insn & 0xff3ffc00) == 0x1e204000 ||
		   ((insn & 0xbfe0fc00) == 0x0ea01c00 && rn == rm)) {
		set_copy(i, ARM64_VECTOR + rd, ARM64_VECTOR + rn);
	} else if ((insn & 0xffe0fc00) == 0x4e001c00) {
		set_copy(i, ARM64_VECTOR + rd, rn); /* ins: of one element */
		i->b = (uint8_t)(ARM64_VECTOR + rd);
		i->rule = ARM64_MERGE;
	}
}

static void decode_registers(uint32_t insn, struct arm64_insn *i)
{
	i->to = (uint8_t)field(insn, 0, 5);
	i->a = (uint8_t)field(insn, 5, 5);
	if ((insn & 0xbf800000) == 0x91000000) { /* add; bit 30: sub */
		i->disp = (int64_t)field(insn, 10, 12) << (field(insn, 22, 1) ? 12 : 0);
		i->is_sum = true;
	} else if ((insn & 0xbf800000) == 0x11000000) {
		/* A sum of 32 bits is no address. */
		i->changes_sp = i->to == ARM64_SP;
	} else if (is_comparison(insn)) {
		i->rule = ARM64_KEEP;
	} else {
		decode_copy(insn, i);
	}
	if (i->is_sum && field(insn, 30, 1))
		i->disp = -i->disp;
	/* Results of other sums and of masks in sp: with an extended register, or a constant. */
	if (i->to == ARM64_SP && !i->is_sum &&
	    ((insn & 0x3fe00000) == 0x0b200000 ||
	     ((insn & 0x1f800000) == 0x12000000 && field(insn, 29, 2) != 3)))
		i->changes_sp = true;
}

void arm64_insn__decode(uint32_t insn, struct arm64_insn *i)
{
	const uint32_t group = field(insn, 25, 4);

	memset(i, 0, sizeof(*i));
	if ((group & 5) == 4)
		decode_memory(insn, i);
	else if ((group & 14) == 10)
		decode_branch(insn, i);
	else if (group & 8 || (group & 7) == 5 || (group & 7) == 7)
		decode_registers(insn, i);
	else
		i->kind = ARM64_ELSEWHERE;
	if (i->kind == ARM64_OTHER && i->rule == ARM64_NEW && !i->to)
		i->to = (uint8_t)field(insn, 0, 5);
}

static void set(uint64_t *old, unsigned int reg, bool is_old)
{
	if (is_old && reg != ARM64_SP)
		*old |= 1ull << reg;
	else
		*old &= ~(1ull << reg);
}

static bool is_old(uint64_t old, unsigned int reg)
{
	return reg != ARM64_SP && old >> reg & 1;
}

void arm64_insn__follow(const struct arm64_insn *i, uint64_t old_in_memory, uint64_t *old)
{
	const bool a = is_old(*old, i->a), b = is_old(*old, i->b);
	unsigned int k;

	if (i->kind == ARM64_CALL)
		*old &= ~CALL_CLOBBERS;
	for (k = 0; i->kind == ARM64_LOAD && k < i->cnt; k++)
		set(old, i->regs[k], is_old(old_in_memory, i->regs[k]));
	if ((i->kind == ARM64_LOAD || i->kind == ARM64_STORE) && i->base_add)
		set(old, i->base, false);
	if (i->kind != ARM64_OTHER || i->rule == ARM64_KEEP)
		return;
	if (i->rule == ARM64_NEW) {
		set(old, i->to & 31, false);
		set(old, ARM64_VECTOR + (i->to & 31), false);
	} else {
		set(old, i->to,
		    i->rule == ARM64_COPY   ? a
		    : i->rule == ARM64_MASK ? a != b
					    : a && b);
	}
}
