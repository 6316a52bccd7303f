// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "probe/hit_class.h"

#include <elf.h>
#include <stdbool.h>
#include <string.h>

static bool begins(const uint8_t *insn, size_t sz, const char *bytes, size_t cnt)
{
	return sz >= cnt && !memcmp(insn, bytes, cnt);
}

/* Carried out by the kernel on all versions: push, nop, jumps and calls to relative addresses. */
static bool is_carried_out(const uint8_t *insn, size_t sz)
{
	const size_t at = sz > 1 && insn[0] == 0x41;
	const uint8_t op = insn[at];

	if ((op & 0xf8) == 0x50)
		return true;
	if (at)
		return false;
	return (op & 0xf0) == 0x70 || op == 0x90 || op == 0xe8 || op == 0xe9 || op == 0xeb ||
	       (op == 0x0f && sz > 1 && (insn[1] & 0xf0) == 0x80);
}

enum hit_class hit_class__of(uint16_t machine, const uint8_t *insn, size_t sz)
{
	if (machine == EM_AARCH64 && sz >= 4)
		return HIT_STEP;
	if (machine != EM_X86_64 || !sz)
		return HIT_UNKNOWN;
	if (begins(insn, sz, "\x0f\x1f\x44\x00\x00", 5))
		return HIT_NOP5;
	if (begins(insn, sz, "\xf3\x0f\x1e\xfa", 4))
		return HIT_ENDBR;
	if (begins(insn, sz, "\x48\x83\xec", 3) || begins(insn, sz, "\x48\x81\xec", 3))
		return HIT_SUB;
	return is_carried_out(insn, sz) ? HIT_PUSH : HIT_STEP;
}
