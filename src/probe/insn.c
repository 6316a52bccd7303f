// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "probe/insn.h"

/* Segments and the address size: all that may stand before VEX, EVEX and XOP. */
static bool is_prefix(uint8_t byte)
{
	switch (byte) {
	case 0x26:
	case 0x2e:
	case 0x36:
	case 0x3e:
	case 0x64:
	case 0x65:
	case 0x67:
		return true;
	default:
		return false;
	}
}

/* Bytes before the opcode of a vector instruction; 0: it is none. */
static size_t vector_prefix(const uint8_t *code, size_t len)
{
	switch (code[0]) {
	case 0xc5:
		return 2;
	case 0xc4:
		return 3;
	case 0x62:
		return 4;
	case 0x8f: /* XOP; with a smaller map it is pop */
		return len > 1 && (code[1] & 0x1f) >= 8 ? 3 : 0;
	default:
		return 0;
	}
}

/* Does the kernel treat the opcode of one byte in a way of its own? */
static bool is_special(uint8_t opcode)
{
	switch (opcode) {
	case 0x70 ... 0x7f: /* jumps on a condition */
	case 0x90: /* nop */
	case 0x9a: /* far call */
	case 0x9d: /* popf */
	case 0xc2: /* returns */
	case 0xc3:
	case 0xca:
	case 0xcb:
	case 0xe8: /* call */
	case 0xe9: /* jumps */
	case 0xea:
	case 0xeb:
	case 0xff: /* call and jump by a register */
		return true;
	default:
		return false;
	}
}

bool insn__is_mistaken(const uint8_t *code, size_t len)
{
	size_t at = 0, prefix;

	while (at < len && is_prefix(code[at]))
		at++;
	if (at == len)
		return false;
	prefix = vector_prefix(code + at, len - at);
	return prefix && at + prefix < len && is_special(code[at + prefix]);
}
