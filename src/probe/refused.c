// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "probe/refused.h"

#include <stdbool.h>

/* A set of opcodes: a bit each. */
static bool has(const uint32_t *set, uint8_t op)
{
	return set[op / 32] >> op % 32 & 1;
}

/* Opcodes of one byte. */
static const uint32_t refused_one[8] = {
	[0x00 / 32] = 0xc0c040c0, /* push and pop of segments, which 64-bit code has not */
	[0x20 / 32] = 0x80808080, /* decimal arithmetic */
	[0x60 / 32] = 0x0000f007, /* pusha, popa, bound; ins, outs */
	[0x80 / 32] = 0x04000004, /* a copy of group 1; far call */
	[0xc0 / 32] = 0x0070f000, /* int3, int, into, iret; aam, aad, salc */
	[0xe0 / 32] = 0x0c12f4f0, /* in, out, far jump; int1, hlt, cli, sti */
};

static bool is_segment_or_lock(uint8_t byte)
{
	return byte == 0x26 || byte == 0x2e || byte == 0x36 || byte == 0x3e || byte == 0xf0;
}

static bool is_other_prefix(uint8_t byte)
{
	return byte == 0x64 || byte == 0x65 || byte == 0x66 || byte == 0x67 || byte == 0xf2 ||
	       byte == 0xf3;
}

/* After 0f: system calls, and what ends the program. */
static bool is_refused_two(uint8_t op)
{
	return op == 0x05 || op == 0x07 || op == 0x0b || op == 0x34 || op == 0x35;
}

/* Opcodes of vector instructions that are taken for jumps, calls, returns, nop and popf. */
static bool is_misread(uint8_t op)
{
	return (op & 0xf0) == 0x70 || op == 0x90 || op == 0x9d || op == 0xe8 || op == 0xe9 ||
	       op == 0xeb || op == 0xc2 || op == 0xc3 || op == 0xca || op == 0xcb;
}

enum refused_why refused__x86_64(const uint8_t *insn, size_t sz)
{
	size_t at = 0;
	uint8_t op;

	for (; at < sz; at++) {
		if (is_segment_or_lock(insn[at]))
			return REFUSED_BY_KERNEL;
		if (!is_other_prefix(insn[at]))
			break;
	}
	/* REX */
	if (at < sz && (insn[at] & 0xf0) == 0x40)
		at++;
	if (at >= sz)
		return REFUSED_NOT;
	op = insn[at];
	if (op == 0x0f)
		return at + 1 < sz && is_refused_two(insn[at + 1]) ? REFUSED_BY_KERNEL
								   : REFUSED_NOT;
	if (op == 0x62 || op == 0xc4 || op == 0xc5) {
		at += op == 0x62 ? 4 : op == 0xc4 ? 3 : 2;
		if (at >= sz)
			return REFUSED_NOT;
		op = insn[at];
		if (is_misread(op))
			return REFUSED_HARMFUL;
	}
	return has(refused_one, op) ? REFUSED_BY_KERNEL : REFUSED_NOT;
}
