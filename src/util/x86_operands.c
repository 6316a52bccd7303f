// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "util/x86_operands.h"

#include <string.h>

#define RSP 4
#define RBP 5

struct input {
	const uint8_t *p, *end;
	uint8_t reg_bit, index_bit, base_bit; /* 8 where REX or VEX sets them */
	bool other_segment, addrsize;
};

static uint8_t next(struct input *in)
{
	return in->p < in->end ? *in->p++ : 0;
}

/* Reads the prefixes. Returns the opcode. */
static uint8_t read_prefixes(struct input *in, bool is_64, struct x86_operands *o)
{
	uint8_t op;

	for (;;) {
		op = next(in);
		if (op == 0x66 || op == 0xf2 || op == 0xf3) {
			o->prefix = op;
			o->opsize |= op == 0x66;
		} else if (op == 0x64 || op == 0x65) {
			in->other_segment = true;
		} else if (op == 0x67) {
			in->addrsize = true;
		} else if (op != 0x2e && op != 0x36 && op != 0x3e && op != 0x26 && op != 0xf0) {
			break;
		}
	}
	if (!is_64 || op >> 4 != 4)
		return op;
	o->has_rex = true;
	o->rex_w = op & 8;
	in->reg_bit = (uint8_t)(op << 1 & 8);
	in->index_bit = (uint8_t)(op << 2 & 8);
	in->base_bit = (uint8_t)(op << 3 & 8);
	return next(in);
}

/* Reads VEX, of two bytes or three, and the opcode. */
static void read_vex(struct input *in, bool is_long, struct x86_operands *o)
{
	static const uint8_t prefixes[] = { 0, 0x66, 0xf3, 0xf2 };
	uint8_t first = next(in), last = is_long ? next(in) : first;

	in->reg_bit = first & 0x80 ? 0 : 8;
	if (is_long) {
		in->index_bit = first & 0x40 ? 0 : 8;
		in->base_bit = first & 0x20 ? 0 : 8;
		o->rex_w = last & 0x80;
	}
	o->is_vex = o->has_rex = true;
	o->prefix = prefixes[last & 3];
	o->is_wide = last & 4;
	o->map = is_long && (first & 0x1f) != 1 ? X86_MAP_OTHER : X86_MAP_0F;
	o->op = next(in);
}

static bool one_byte_has_modrm(uint8_t op)
{
	return (op < 0x40 && (op & 7) < 4) || op == 0x63 || op == 0x69 || op == 0x6b ||
	       op >> 4 == 8 || op == 0xc0 || op == 0xc1 || op == 0xc6 || op == 0xc7 ||
	       (op >= 0xd0 && op <= 0xd3) || (op >= 0xd8 && op <= 0xdf) || op == 0xf6 ||
	       op == 0xf7 || op >= 0xfe;
}

static bool has_modrm(const struct x86_operands *o)
{
	const uint8_t op = o->op;

	if (o->map == X86_MAP_ONE_BYTE)
		return one_byte_has_modrm(op);
	return (op < 4 || op == 0x0d || op > 0x0f) && op >> 3 != 6 && op != 0x77 && op >> 4 != 8 &&
	       (op < 0xa0 || op > 0xa2) && (op < 0xa8 || op > 0xaa) && op >> 3 != 0x19;
}

static int32_t displacement(struct input *in, uint8_t mod)
{
	uint32_t val = 0;
	size_t i;

	if (mod == 0)
		return 0;
	if (mod == 1)
		return (int8_t)next(in);
	for (i = 0; i < 4; i++)
		val |= (uint32_t)next(in) << 8 * i;
	return (int32_t)val;
}

/* Reads the address behind ModRM. */
static void read_address(struct input *in, struct x86_operands *o)
{
	if (in->other_segment || in->addrsize || in->base_bit)
		return;
	if (o->rm == RSP) {
		/* SIB: rsp as the base, and no index; with REX.X it is r12. */
		if (next(in) != 0x24 || in->index_bit)
			return;
	} else if (o->rm != RBP || o->mod == 0) {
		return;
	}
	o->on_frame = true;
	o->by_frame_pointer = o->rm == RBP;
	o->disp = displacement(in, o->mod);
}

void x86_operands__decode(const uint8_t *p, size_t sz, bool is_64, struct x86_operands *o)
{
	struct input in = { .p = p, .end = p + sz };
	uint8_t modrm;

	memset(o, 0, sizeof(*o));
	o->last = sz ? p[sz - 1] : 0;
	o->op = read_prefixes(&in, is_64, o);
	if (o->op == 0x0f) {
		o->map = X86_MAP_0F;
		o->op = next(&in);
		if (o->op == 0x38 || o->op == 0x3a)
			o->map = X86_MAP_OTHER;
	} else if (in.p < in.end && (is_64 || *in.p >> 6 == 3)) {
		if (o->op == 0x62)
			o->map = X86_MAP_OTHER;
		else if (o->op == 0xc4 || o->op == 0xc5)
			read_vex(&in, o->op == 0xc4, o);
	}
	o->op_reg = (o->op & 7) | in.base_bit;
	o->has_modrm = o->map != X86_MAP_OTHER && has_modrm(o);
	if (!o->has_modrm)
		return;
	modrm = next(&in);
	o->mod = modrm >> 6;
	o->reg = (modrm >> 3 & 7) | in.reg_bit;
	o->rm = modrm & 7;
	if (o->mod < 3)
		read_address(&in, o);
	o->rm |= in.base_bit;
}
