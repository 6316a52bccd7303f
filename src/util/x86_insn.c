// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "util/x86_insn.h"

/* Operands behind the opcode. */
enum {
	M = 1 << 0, /* ModRM */
	B = 1 << 1, /* an immediate byte */
	W = 1 << 2, /* two bytes */
	Z = 1 << 3, /* four, or two by the operand size */
	D = 1 << 4, /* four, in 64-bit mode whatever the operand size: a branch */
	V = 1 << 5, /* like Z, or eight with REX.W */
	A = 1 << 6, /* an address */
	F = 1 << 7, /* a far pointer */
};

static const uint8_t one_byte[256] = {
	M, M, M, M, B, Z, 0, 0, M, M, M, M, B, Z, 0, 0, M, M, M, M, B, Z, 0, 0, M, M, M, M, B, Z, 0,
	0, M, M, M, M, B, Z, 0, 0, M, M, M, M, B, Z, 0, 0, M, M, M, M, B, Z, 0, 0, M, M, M, M, B, Z,
	0, 0,
	/* 40 */
	0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
	0,
	/* 60 */
	0, 0, M, M, 0, 0, 0, 0, Z, M | Z, B, M | B, 0, 0, 0, 0,
	/* 70 */
	B, B, B, B, B, B, B, B, B, B, B, B, B, B, B, B,
	/* 80 */
	M | B, M | Z, M | B, M | B, M, M, M, M, M, M, M, M, M, M, M, M,
	/* 90 */
	0, 0, 0, 0, 0, 0, 0, 0, 0, 0, F, 0, 0, 0, 0, 0,
	/* a0 */
	A, A, A, A, 0, 0, 0, 0, B, Z, 0, 0, 0, 0, 0, 0,
	/* b0 */
	B, B, B, B, B, B, B, B, V, V, V, V, V, V, V, V,
	/* c0 */
	M | B, M | B, W, 0, M, M, M | B, M | Z, W | B, 0, W, 0, 0, B, 0, 0,
	/* d0 */
	M, M, M, M, B, B, 0, 0, M, M, M, M, M, M, M, M,
	/* e0 */
	B, B, B, B, B, B, B, B, D, D, F, B, 0, 0, 0, 0,
	/* f0 */
	0, 0, 0, 0, 0, 0, M, M, 0, 0, 0, 0, 0, 0, M, M
};

/* Opcodes that 64-bit code has none of: a bit each. */
static const uint32_t not_in_64[8] = { 0xc0c040c0, 0x80808080, 0x00000000, 0x00000003,
				       0x04000004, 0x00000000, 0x00704000, 0x00000400 };

struct cursor {
	const uint8_t *p, *end;
	bool is_64, bad;
	bool opsize, addrsize, rep, repne, rex_w;
	uint8_t modrm;
};

static uint8_t next(struct cursor *c)
{
	if (c->p < c->end)
		return *c->p++;
	c->bad = true;
	return 0;
}

static void skip(struct cursor *c, size_t n)
{
	if ((size_t)(c->end - c->p) < n)
		c->bad = true;
	else
		c->p += n;
}

/* Skips ModRM, SIB and displacement. */
static void skip_modrm(struct cursor *c)
{
	uint8_t mod, rm, sib;

	c->modrm = next(c);
	mod = c->modrm >> 6;
	rm = c->modrm & 7;
	if (mod == 3)
		return;
	if (!c->is_64 && c->addrsize) {
		skip(c, mod == 1 ? 1 : mod == 2 || rm == 6 ? 2 : 0);
		return;
	}
	sib = rm == 4 ? next(c) : 0;
	skip(c, mod == 1 ? 1 : mod == 2 || rm == 5 || (rm == 4 && (sib & 7) == 5) ? 4 : 0);
}

static void skip_operands(struct cursor *c, uint8_t operands)
{
	size_t word = c->opsize && !c->rex_w ? 2 : 4;

	if (operands & M)
		skip_modrm(c);
	if (operands & W)
		skip(c, 2);
	if (operands & B)
		skip(c, 1);
	if (operands & Z)
		skip(c, word);
	if (operands & D)
		skip(c, c->is_64 ? 4 : word);
	if (operands & V)
		skip(c, c->rex_w ? 8 : word);
	if (operands & A)
		skip(c, c->is_64 ? (c->addrsize ? 4 : 8) : (c->addrsize ? 2 : 4));
	if (operands & F)
		skip(c, word + 2);
}

/* Operands of the opcodes behind 0f, of which `vex` has the subset with registers. */
static uint8_t two_byte(uint8_t op, bool is_vex)
{
	if (op == 0x77)
		return 0;
	if ((op >= 0x70 && op <= 0x73) || op == 0xc2 || (op >= 0xc4 && op <= 0xc6))
		return M | B;
	if (is_vex)
		return M;
	if (op >= 0x80 && op <= 0x8f)
		return D;
	if ((op >= 0x30 && op <= 0x37) || (op >= 0xc8 && op <= 0xcf) ||
	    (op >= 0xa0 && op <= 0xa2) || (op >= 0xa8 && op <= 0xaa) ||
	    (op >= 0x04 && op <= 0x0c) || op == 0x0e)
		return 0;
	if (op == 0x0f || op == 0xa4 || op == 0xac || op == 0xba)
		return M | B;
	return M;
}

/* Instructions of 0f 01, each of which is a ModRM without an operand. */
static uint32_t system_flags(const struct cursor *c)
{
	switch (c->modrm) {
	case 0xc2: /* VMLAUNCH */
	case 0xc3: /* VMRESUME */
		return X86_INSN_BRANCH | X86_INSN_CALL | X86_INSN_VMENTRY;
	case 0xca: /* ERETU and ERETS of FRED; without a prefix CLAC */
		return c->rep || c->repne ? X86_INSN_BRANCH | X86_INSN_RETURN | X86_INSN_INTERRUPT
					  : 0;
	case 0xec: /* UIRET */
		return c->rep ? X86_INSN_BRANCH | X86_INSN_RETURN | X86_INSN_INTERRUPT : 0;
	default:
		return 0;
	}
}

static uint32_t two_byte_flags(const struct cursor *c, uint8_t op)
{
	if (op >= 0x80 && op <= 0x8f)
		return X86_INSN_BRANCH | X86_INSN_CONDITIONAL;
	switch (op) {
	case 0x01:
		return system_flags(c);
	case 0x05: /* SYSCALL */
	case 0x34: /* SYSENTER */
		return X86_INSN_BRANCH | X86_INSN_CALL | X86_INSN_SYSCALL;
	case 0x07: /* SYSRET */
	case 0x35: /* SYSEXIT */
		return X86_INSN_BRANCH | X86_INSN_RETURN | X86_INSN_SYSCALL;
	default:
		return 0;
	}
}

static uint32_t one_byte_flags(uint8_t op, uint8_t modrm)
{
	const uint32_t branch = X86_INSN_BRANCH;
	uint8_t reg = modrm >> 3 & 7;

	if ((op >= 0x70 && op <= 0x7f) || (op >= 0xe0 && op <= 0xe3))
		return branch | X86_INSN_CONDITIONAL;
	switch (op) {
	case 0xe8:
	case 0x9a:
		return branch | X86_INSN_CALL;
	case 0xe9:
	case 0xea:
	case 0xeb:
		return branch;
	case 0xc2:
	case 0xc3:
	case 0xca:
	case 0xcb:
		return branch | X86_INSN_RETURN;
	case 0xcf:
		return branch | X86_INSN_RETURN | X86_INSN_INTERRUPT;
	case 0xcc:
	case 0xcd:
	case 0xce:
	case 0xf1:
		return branch | X86_INSN_CALL | X86_INSN_INTERRUPT;
	case 0xff:
		return reg == 2 || reg == 3   ? branch | X86_INSN_CALL
		       : reg == 4 || reg == 5 ? branch
					      : 0;
	default:
		return 0;
	}
}

/* An opcode of a map: 1 is behind 0f, 2 behind 0f 38, 3 behind 0f 3a. */
static void skip_map(struct cursor *c, unsigned int map, bool is_vex, uint32_t *flags)
{
	uint8_t op = next(c);

	if (map == 1 && !is_vex && (op == 0x38 || op == 0x3a)) {
		skip_map(c, op == 0x38 ? 2 : 3, false, flags);
		return;
	}
	/* Moves of control and debug registers have registers alone, whatever ModRM says. */
	if (map == 1 && !is_vex && op >= 0x20 && op <= 0x23) {
		skip(c, 1);
		return;
	}
	c->bad |= map == 0 || map == 4 || map > 6;
	c->bad |= map == 1 && !is_vex && (op == 0x04 || op == 0x0a || op == 0x0c);
	skip_operands(c, map == 1 ? two_byte(op, is_vex) : map == 3 ? M | B : M);
	/* EXTRQ and INSERTQ of AMD */
	if (map == 1 && !is_vex && op == 0x78 && (c->opsize || c->repne))
		skip(c, 2);
	*flags = map == 1 && !is_vex ? two_byte_flags(c, op) : 0;
}

/* VEX, EVEX and XOP: true if this opcode begins one of them. */
static bool skip_vex(struct cursor *c, uint8_t op, uint32_t *flags)
{
	uint8_t first = c->p < c->end ? *c->p : 0;
	unsigned int map;

	if (op != 0xc4 && op != 0xc5 && op != 0x62 && op != 0x8f)
		return false;
	if (op == 0x8f ? (first & 0x1f) < 8 : !c->is_64 && first >> 6 != 3)
		return false;
	skip(c, op == 0xc5 ? 1 : op == 0x62 ? 3 : 2);
	map = op == 0xc5 ? 1 : op == 0x62 ? first & 7 : first & 0x1f;
	if (op == 0x8f) {
		/* Map 8 has an immediate byte, map 10 four. */
		next(c);
		skip_operands(c, map == 8 ? M | B : M);
		skip(c, map == 10 ? 4 : 0);
	} else {
		skip_map(c, map, true, flags);
	}
	return true;
}

/* Skips the prefixes, and returns the opcode. */
static uint8_t skip_prefixes(struct cursor *c)
{
	uint8_t op;

	for (;;) {
		op = next(c);
		switch (op) {
		case 0x66:
			c->opsize = true;
			break;
		case 0x67:
			c->addrsize = true;
			break;
		case 0xf2:
			c->repne = true;
			break;
		case 0xf3:
			c->rep = true;
			break;
		case 0xf0:
		case 0x26:
		case 0x2e:
		case 0x36:
		case 0x3e:
		case 0x64:
		case 0x65:
			break;
		default:
			if (!c->is_64 || op >> 4 != 4)
				return op;
			c->rex_w = op & 8;
			op = next(c);
			if (op >> 4 != 4 && op != 0x66 && op != 0x67 && op != 0xf2 && op != 0xf3)
				return op;
			/* REX counts as the last prefix alone. */
			c->rex_w = false;
			c->p--;
			break;
		}
		if (c->bad)
			return 0;
	}
}

static void skip_one_byte(struct cursor *c, uint8_t op, uint32_t *flags)
{
	c->bad |= c->is_64 && not_in_64[op / 32] >> op % 32 & 1;
	skip_operands(c, one_byte[op]);
	/* TEST, alone of its group, has an immediate. */
	if ((op == 0xf6 || op == 0xf7) && !(c->modrm & 0x30))
		skip(c, op == 0xf6 ? 1 : c->opsize && !c->rex_w ? 2 : 4);
	*flags = one_byte_flags(op, c->modrm);
}

/* Behind REX2 of APX, the last prefix, which says the map of the opcode, too. */
static void skip_rex2(struct cursor *c, uint32_t *flags)
{
	const uint8_t bits = next(c), op = c->p < c->end ? *c->p : 0, row = op >> 4;

	c->rex_w = bits & 8;
	if (bits >> 7) {
		c->bad |= row == 3 || row == 8;
		skip_map(c, 1, false, flags);
		return;
	}
	/* JMPABS alone is left of these rows. */
	c->bad |= op == 0x0f || row == 4 || row == 7 || row == 14 || (row == 10 && op != 0xa1);
	skip_one_byte(c, next(c), flags);
	if (op == 0xa1)
		*flags = X86_INSN_BRANCH;
}

unsigned int x86_insn__length(const uint8_t *p, size_t sz, bool is_64, uint32_t *flags)
{
	struct cursor c = { .p = p, .is_64 = is_64 };
	uint8_t op;

	c.end = p + (sz < X86_INSN_MAX_SZ ? sz : X86_INSN_MAX_SZ);
	*flags = 0;
	op = skip_prefixes(&c);
	if (op == 0x0f)
		skip_map(&c, 1, false, flags);
	else if (op == 0xd5 && is_64)
		skip_rex2(&c, flags);
	else if (!skip_vex(&c, op, flags))
		skip_one_byte(&c, op, flags);
	return c.bad ? 0 : (unsigned int)(c.p - p);
}
