/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Opcodes and operands of x86 instructions (Intel SDM, volume 2, chapter 2). */
#ifndef BPFPERF_UTIL_X86_OPERANDS_H
#define BPFPERF_UTIL_X86_OPERANDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum x86_map {
	X86_MAP_ONE_BYTE,
	X86_MAP_0F, /* behind 0f, also with VEX */
	X86_MAP_OTHER, /* not read any further */
};

struct x86_operands {
	enum x86_map map;
	uint8_t op;
	uint8_t prefix; /* the last of 66, f2 and f3, or that which VEX stands for; 0: none */
	bool opsize, has_rex, rex_w;
	bool is_vex, is_wide; /* of 256 bits */
	bool has_modrm;
	uint8_t mod, reg, rm; /* of ModRM; with the bits of REX or VEX */
	uint8_t op_reg; /* the register that the lowest bits of the opcode name */
	/* With mod < 3: is the address the stack or frame pointer plus disp? */
	bool on_frame, by_frame_pointer;
	int32_t disp;
	uint8_t last; /* the instruction's last byte, as an immediate value of a byte */
};

/* Decodes the instruction at p, which has sz bytes. */
void x86_operands__decode(const uint8_t *p, size_t sz, bool is_64, struct x86_operands *o);

/* The general register that a field names in an operation on bytes: ah to bh are rax to rbx. */
static inline uint8_t x86_operands__byte_reg(const struct x86_operands *o, uint8_t reg)
{
	return !o->has_rex && reg >= 4 ? reg & 3 : reg;
}

#endif
