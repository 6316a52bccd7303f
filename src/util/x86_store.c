// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "util/x86_store.h"

#include <string.h>

#include "util/x86_flow.h"

static uint32_t word_of(const struct x86_operands *o)
{
	return o->rex_w ? 8 : o->opsize ? 2 : 4;
}

/* Bytes that an opcode behind 0f moves from a vector register to memory; 0: none. */
static uint32_t vector_size(const struct x86_operands *o)
{
	const uint32_t whole = o->is_wide ? 32 : 16;

	switch (o->op) {
	case 0x11:
		return o->prefix == 0xf3 ? 4 : o->prefix == 0xf2 ? 8 : whole;
	case 0x29:
		return whole;
	case 0x2b:
		return o->prefix == 0xf3 ? 4 : o->prefix == 0xf2 ? 8 : whole;
	case 0x7f:
	case 0xe7:
		return o->prefix ? whole : 8;
	case 0x13:
	case 0x17:
	case 0xd6:
		return 8;
	case 0x7e:
		/* With f3 it is a load. */
		return o->prefix == 0xf3 ? 0 : o->rex_w ? 8 : 4;
	default:
		return 0;
	}
}

/* Bytes that an instruction of one byte changes in memory, or sets to a constant; 0: none. */
static uint32_t change_size(const struct x86_operands *o)
{
	const uint8_t op = o->op, ext = o->reg & 7;
	const uint32_t word = op & 1 ? word_of(o) : 1;

	/* Sums and the like, but not the comparison. */
	if (op < 0x40 && (op & 7) < 2)
		return op >= 0x38 ? 0 : word;
	if (op >= 0x80 && op <= 0x83)
		return ext == 7 ? 0 : word;
	if (op == 0x86 || op == 0x87 || op == 0xc0 || op == 0xc1 || op == 0xc6 || op == 0xc7 ||
	    (op >= 0xd0 && op <= 0xd3))
		return word;
	if (op == 0xfe || op == 0xff)
		return ext < 2 ? word : 0;
	if (op == 0xf6 || op == 0xf7)
		return ext == 2 || ext == 3 ? word : 0;
	/* Results on the floating-point stack, in which no parameter comes. */
	if (op == 0xd9 && (ext == 2 || ext == 3))
		return 4;
	if (op == 0xdd && (ext == 2 || ext == 3))
		return 8;
	return op == 0xdb && ext == 7 ? 10 : 0;
}

static bool is_any_of(uint8_t ext, uint8_t bits)
{
	return bits >> ext & 1;
}

/* Is the memory operand of this instruction of one byte read only? */
static bool one_byte_reads(const struct x86_operands *o)
{
	const uint8_t op = o->op, ext = o->reg & 7;

	if (op < 0x40)
		return (op & 7) > 1 || op >= 0x38;
	switch (op) {
	case 0x63:
	case 0x69:
	case 0x6b:
	case 0x84:
	case 0x85:
	case 0x8a:
	case 0x8b:
	case 0x8d:
	case 0x8e:
	case 0xd8:
	case 0xda:
	case 0xdc:
	case 0xde:
		return true;
	case 0x80:
	case 0x81:
	case 0x82:
	case 0x83:
		return ext == 7;
	case 0xd9:
		return is_any_of(ext, 0x31);
	case 0xdb:
		return is_any_of(ext, 0x21);
	case 0xdd:
		return is_any_of(ext, 0x11);
	case 0xdf:
		return is_any_of(ext, 0x31);
	case 0xf6:
	case 0xf7:
		return ext == 0 || ext > 3;
	case 0xff:
		/* Calls, jumps, and a push. */
		return is_any_of(ext, 0x54);
	default:
		return false;
	}
}

/* Opcodes behind 0f that read memory and do not write it, from the first to the last. */
static const uint8_t vector_reads[][2] = {
	{ 0x0d, 0x0d }, { 0x10, 0x10 }, { 0x12, 0x12 }, { 0x14, 0x16 }, { 0x18, 0x1f },
	{ 0x28, 0x28 }, { 0x2a, 0x2a }, { 0x2c, 0x2f }, { 0x40, 0x4f }, { 0x51, 0x70 },
	{ 0x74, 0x76 }, { 0x7c, 0x7d }, { 0xa3, 0xa3 }, { 0xaf, 0xaf }, { 0xb6, 0xb8 },
	{ 0xbc, 0xbf }, { 0xc2, 0xc2 }, { 0xc4, 0xc4 }, { 0xc6, 0xc6 }, { 0xd0, 0xd5 },
	{ 0xd8, 0xe6 }, { 0xe8, 0xf6 }, { 0xf8, 0xff },
};

static bool only_reads(const struct x86_operands *o)
{
	size_t i;

	if (o->map == X86_MAP_ONE_BYTE)
		return one_byte_reads(o);
	if (o->op == 0x7e)
		return o->prefix == 0xf3;
	if (o->op == 0xba)
		return (o->reg & 7) == 4;
	for (i = 0; i < sizeof(vector_reads) / sizeof(vector_reads[0]); i++)
		if (o->op >= vector_reads[i][0] && o->op <= vector_reads[i][1])
			return true;
	return false;
}

/* Writes to an address that is a part of the instruction, and those of strings. */
static bool writes_without_modrm(const struct x86_operands *o)
{
	return o->map == X86_MAP_OTHER ||
	       (o->map == X86_MAP_ONE_BYTE &&
		((o->op >= 0xa2 && o->op <= 0xa5) || o->op >> 1 == 0x55 || o->op >> 1 == 0x36));
}

void x86_store__of(const struct x86_operands *o, struct x86_store *st)
{
	bool is_move = false;

	memset(st, 0, sizeof(*st));
	if (!o->has_modrm) {
		if (writes_without_modrm(o))
			st->kind = X86_STORE_ELSEWHERE;
		return;
	}
	if (o->mod == 3)
		return;
	if (o->map == X86_MAP_0F) {
		is_move = true;
		st->size = vector_size(o);
		st->from = X86_FLOW_VECTOR + o->reg;
	} else if (o->op == 0x88 || o->op == 0x89) {
		is_move = true;
		st->size = o->op == 0x88 ? 1 : word_of(o);
		st->from = o->op == 0x88 ? x86_operands__byte_reg(o, o->reg) : o->reg;
	} else {
		st->size = change_size(o);
	}
	if (st->size && o->on_frame)
		st->kind = is_move ? X86_STORE_MOVE : X86_STORE_CHANGE;
	else if (st->size || !only_reads(o))
		st->kind = X86_STORE_ELSEWHERE;
}
