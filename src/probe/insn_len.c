// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "probe/insn_len.h"

#include <stdbool.h>

/* An instruction while it is read. Bytes behind the end read as 0, and its length is not known. */
struct insn {
	const uint8_t *bytes;
	size_t sz, at;
	bool has_66, has_67, has_f2, has_rex_w;
};

/* The bytes behind an opcode. */
struct tail {
	bool is_known, has_modrm;
	uint8_t imm; /* bytes of immediate values */
};

/* A set of opcodes: a bit each. */
static bool has(const uint32_t *set, uint8_t op)
{
	return set[op / 32] >> op % 32 & 1;
}

/* Opcodes of one byte. */
static const uint32_t one_modrm[8] = { 0x0f0f0f0f, 0x0f0f0f0f, 0x00000000, 0x00000a08,
				       0x0000ffff, 0x00000000, 0xff0f00c3, 0xc0c00000 };
static const uint32_t one_imm8[8] = { 0x10101010, 0x10101010, 0x00000000, 0xffff0c00,
				      0x00000009, 0x00ff0100, 0x00002043, 0x000008ff };
/* Their immediate value has four bytes; with a 66 prefix, two. */
static const uint32_t one_imm[8] = { 0x20202020, 0x20202020, 0x00000000, 0x00000300,
				     0x00000002, 0x00000200, 0x00000080, 0x00000000 };
/* 64-bit code has none of these. */
static const uint32_t one_invalid[8] = { 0xc0c040c0, 0x80808080, 0x00000000, 0x00000003,
					 0x04000004, 0x00000000, 0x00704000, 0x00000400 };

/* Opcodes behind 0f. */
static const uint32_t two_no_modrm[8] = { 0x00004be0, 0x00ff0000, 0x00000000, 0x00800000,
					  0x0000ffff, 0x00000707, 0x0000ff00, 0x00000000 };
static const uint32_t two_imm8[8] = { 0x00008000, 0x00000000, 0x00000000, 0x000f0000,
				      0x00000000, 0x04001010, 0x00000074, 0x00000000 };

static uint8_t peek(const struct insn *in, size_t ahead)
{
	return in->at + ahead < in->sz ? in->bytes[in->at + ahead] : 0;
}

static void read_prefixes(struct insn *in)
{
	for (; in->at < in->sz; in->at++) {
		switch (in->bytes[in->at]) {
		case 0x66:
			in->has_66 = true;
			break;
		case 0x67:
			in->has_67 = true;
			break;
		case 0xf2:
			in->has_f2 = true;
			break;
		case 0xf3:
		case 0xf0:
		case 0x26:
		case 0x2e:
		case 0x36:
		case 0x3e:
		case 0x64:
		case 0x65:
			break;
		default:
			if ((in->bytes[in->at] & 0xf0) == 0x40)
				in->has_rex_w = in->bytes[in->at++] & 8;
			return;
		}
	}
}

static uint8_t imm_sz(const struct insn *in)
{
	return in->has_66 && !in->has_rex_w ? 2 : 4;
}

/* Behind an opcode of one byte, which was read. */
static struct tail tail_of_one(const struct insn *in, uint8_t op)
{
	struct tail t = { !has(one_invalid, op), has(one_modrm, op), has(one_imm8, op) };

	if (has(one_imm, op))
		t.imm = imm_sz(in);
	if (op == 0xe8 || op == 0xe9)
		t.imm = 4;
	else if ((op & 0xf8) == 0xb8)
		t.imm = in->has_rex_w ? 8 : imm_sz(in);
	else if ((op & 0xfc) == 0xa0)
		t.imm = in->has_67 ? 4 : 8;
	else if (op == 0xc2 || op == 0xca)
		t.imm = 2;
	else if (op == 0xc8)
		t.imm = 3;
	/* The first two of this group, tests, have one. */
	else if ((op == 0xf6 || op == 0xf7) && !(peek(in, 0) & 0x30))
		t.imm = op == 0xf6 ? 1 : imm_sz(in);
	return t;
}

/* Behind 0f and the opcode, which were read. */
static struct tail tail_of_two(const struct insn *in, uint8_t op)
{
	struct tail t = { true, !has(two_no_modrm, op), has(two_imm8, op) };

	if ((op & 0xf0) == 0x80)
		t.imm = 4;
	/* extrq and insertq of AMD */
	if (op == 0x78 && (in->has_66 || in->has_f2))
		t.imm = 2;
	t.is_known = op != 0x04 && op != 0x0a && op != 0x0c;
	return t;
}

/* Behind the opcode of an instruction with a VEX or EVEX prefix. */
static struct tail tail_of_vector(unsigned int map, uint8_t op)
{
	struct tail t = { true, true, map == 3 };

	if (map == 1)
		t = (struct tail){ true, op != 0x77, has(two_imm8, op) };
	t.is_known = map == 1 || map == 2 || map == 3 || map == 5 || map == 6;
	return t;
}

static struct tail read_opcode(struct insn *in)
{
	uint8_t op = peek(in, 0), second = peek(in, 1);

	if (op == 0xc5 || op == 0xc4 || op == 0x62) {
		in->at += op == 0xc5 ? 3 : op == 0xc4 ? 4 : 5;
		return tail_of_vector(op == 0xc5   ? 1
				      : op == 0xc4 ? second & 0x1f
						   : second & 7,
				      in->bytes[in->at - 1 < in->sz ? in->at - 1 : 0]);
	}
	in->at++;
	if (op != 0x0f) {
		/* With other bits, this is a prefix of AMD's. */
		struct tail t = tail_of_one(in, op);

		t.is_known = t.is_known && (op != 0x8f || !(second & 0x38));
		return t;
	}
	in->at++;
	if (second == 0x38 || second == 0x3a) {
		in->at++;
		return (struct tail){ true, true, second == 0x3a };
	}
	return tail_of_two(in, second);
}

static void read_modrm(struct insn *in)
{
	uint8_t modrm = peek(in, 0), mod = modrm >> 6, rm = modrm & 7;

	in->at++;
	if (mod == 3)
		return;
	if (rm == 4) {
		uint8_t base = peek(in, 0) & 7;

		in->at++;
		if (!mod && base == 5)
			in->at += 4;
	} else if (!mod && rm == 5) {
		in->at += 4;
	}
	in->at += mod == 1 ? 1 : mod == 2 ? 4 : 0;
}

size_t insn_len__x86_64(const uint8_t *insn, size_t sz)
{
	struct insn in = { .bytes = insn, .sz = sz };
	struct tail t;

	read_prefixes(&in);
	t = read_opcode(&in);
	if (t.has_modrm)
		read_modrm(&in);
	in.at += t.imm;
	return t.is_known && in.at <= sz && in.at <= INSN_LEN_MAX ? in.at : 0;
}
