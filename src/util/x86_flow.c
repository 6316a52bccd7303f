// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "util/x86_flow.h"

#define RAX 0
#define RDX 2

static uint32_t general(uint8_t reg)
{
	return 1u << reg;
}

static uint32_t vector(uint8_t reg)
{
	return 1u << (X86_FLOW_VECTOR + reg);
}

/* A move: registers that are written, and one that is read, or memory. */
struct move {
	uint32_t to, from;
	bool is_load;
};

static void follow(const struct move *m, bool is_old_in_memory, uint32_t *old)
{
	bool is_old = m->is_load ? is_old_in_memory : (*old & m->from) != 0;

	*old = is_old ? *old | m->to : *old & ~m->to;
}

/* Moves between general registers, and from memory. */
static bool general_move(const struct x86_operands *o, struct move *m)
{
	bool is_byte = o->op == 0x88 || o->op == 0x8a;
	uint32_t reg = general(is_byte ? x86_operands__byte_reg(o, o->reg) : o->reg);
	uint32_t rm = general(is_byte ? x86_operands__byte_reg(o, o->rm) : o->rm);

	switch (o->op) {
	case 0x88:
	case 0x89:
		*m = (struct move){ .to = o->mod == 3 ? rm : 0, .from = reg };
		return true;
	case 0x63:
	case 0x8a:
	case 0x8b:
		*m = (struct move){ .to = reg, .from = rm, .is_load = o->mod < 3 };
		return true;
	default:
		return false;
	}
}

/* Moves behind 0f: with extension, and those of vectors, from and to general registers, too. */
static bool vector_move(const struct x86_operands *o, struct move *m)
{
	bool is_load = o->mod < 3;
	uint32_t rm =
		general(o->op == 0xb6 || o->op == 0xbe ? x86_operands__byte_reg(o, o->rm) : o->rm);

	switch (o->op) {
	case 0x10:
		/* Two of three registers are put together. */
		if (o->is_vex && !is_load)
			return false;
		/* fall through */
	case 0x28:
		*m = (struct move){ vector(o->reg), vector(o->rm), is_load };
		return true;
	case 0x6f:
		*m = (struct move){ vector(o->reg), vector(o->rm), is_load };
		return o->prefix;
	case 0x6e:
		*m = (struct move){ vector(o->reg), general(o->rm), is_load };
		return o->prefix == 0x66;
	case 0x7e:
		if (o->prefix == 0xf3)
			*m = (struct move){ vector(o->reg), vector(o->rm), is_load };
		else
			*m = (struct move){ is_load ? 0 : general(o->rm), vector(o->reg), false };
		return o->prefix;
	case 0x11:
		if (o->is_vex && !is_load)
			return false;
		/* fall through */
	case 0x29:
	case 0x7f:
	case 0xd6:
		*m = (struct move){ is_load ? 0 : vector(o->rm), vector(o->reg), false };
		return true;
	case 0xb6:
	case 0xb7:
	case 0xbe:
	case 0xbf:
		*m = (struct move){ general(o->reg), rm, is_load };
		return true;
	default:
		return false;
	}
}

/* Registers that an instruction of one byte without ModRM writes. */
static uint32_t lost_by_simple(const struct x86_operands *o)
{
	const uint8_t op = o->op;

	switch (op & 0xf8) {
	case 0x50: /* push */
	case 0x70: /* branches */
	case 0x78:
		return 0;
	case 0x58: /* pop */
	case 0xb8:
		return general(o->op_reg);
	case 0xb0:
		return general(x86_operands__byte_reg(o, o->op_reg));
	case 0x90:
		return op == 0x90 && !o->op_reg ? 0 : general(RAX) | general(o->op_reg);
	default:
		break;
	}
	switch (op) {
	case 0x24:
		/* The lowest bit: of a byte that is true or false it is all. */
		return o->last == 1 ? 0 : general(RAX);
	case 0x3c: /* cmp, test */
	case 0x3d:
	case 0xa8:
	case 0xa9:
	case 0x68: /* push */
	case 0x6a:
	case 0xc3: /* ret, leave, call, jmp */
	case 0xc9:
	case 0xcc:
	case 0xe8:
	case 0xe9:
	case 0xeb:
		return 0;
	case 0x99:
		return general(RDX);
	default:
		/* Sums with rax, and all else. */
		return op < 0x40 && (op & 7) > 3 && (op & 7) < 6 ? general(RAX) : X86_FLOW_ALL;
	}
}

/* Registers that one with ModRM writes, other than a move. */
static uint32_t lost_by_operands(const struct x86_operands *o)
{
	const uint8_t op = o->op, ext = o->reg & 7;
	const bool is_byte = !(op & 1);
	const uint32_t reg = general(is_byte ? x86_operands__byte_reg(o, o->reg) : o->reg);
	const uint32_t rm =
		o->mod < 3 ? 0 : general(is_byte ? x86_operands__byte_reg(o, o->rm) : o->rm);

	if (op < 0x40)
		return op >= 0x38 ? 0 : (op & 7) < 2 ? rm : reg;
	if (op >= 0x80 && op <= 0x83)
		return ext == 7 ? 0 : rm;
	switch (op) {
	case 0x84:
	case 0x85:
	case 0xd8:
	case 0xd9:
	case 0xda:
	case 0xdb:
	case 0xdc:
	case 0xdd:
	case 0xde:
		return 0;
	case 0x86:
	case 0x87:
		return reg | rm;
	case 0x69:
	case 0x6b:
	case 0x8d:
		return reg;
	case 0xc0:
	case 0xc1:
	case 0xd0:
	case 0xd1:
		/* A shift by a constant, other than a rotation, leaves a part of the value. */
		return ext == 4 || ext == 5 || ext == 7 ? 0 : rm;
	case 0xf6:
	case 0xf7:
		return ext < 2 ? 0 : ext > 3 ? general(RAX) | general(RDX) : rm;
	case 0xff:
		return ext < 2 ? rm : 0;
	default:
		return rm;
	}
}

/* Registers that an instruction behind 0f writes, other than a move. */
static uint32_t lost_by_vector(const struct x86_operands *o)
{
	const uint8_t op = o->op;

	if (!o->has_modrm)
		return op >> 4 == 8 ? 0 : X86_FLOW_ALL;
	/* Hints and endbr64, comparisons, tests of bits. */
	if (op == 0x0d || (op >= 0x18 && op <= 0x1f) || op == 0x2e || op == 0x2f || op == 0xa3)
		return 0;
	if (o->mod < 3 && (op == 0x13 || op == 0x17 || op == 0x2b || op == 0xc3 || op == 0xe7))
		return 0;
	return general(o->reg) | vector(o->reg) |
	       (o->mod == 3 ? general(o->rm) | vector(o->rm) : 0);
}

void x86_flow__step(const struct x86_operands *o, bool is_old_in_memory, uint32_t *old)
{
	struct move m;

	if (o->map == X86_MAP_OTHER)
		*old = 0;
	else if (o->map == X86_MAP_0F && o->has_modrm && vector_move(o, &m))
		follow(&m, is_old_in_memory, old);
	else if (o->map == X86_MAP_0F)
		*old &= ~lost_by_vector(o);
	else if (!o->has_modrm)
		*old &= ~lost_by_simple(o);
	else if (general_move(o, &m))
		follow(&m, is_old_in_memory, old);
	else
		*old &= ~lost_by_operands(o);
}
