// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* Instructions that a kernel of x86 would execute wrongly under a uprobe. */
#include <stdint.h>
#include <string.h>

#include "probe/insn.h"
#include "tap.h"

static const struct {
	const char *text;
	uint8_t code[INSN_MAX];
	uint8_t len;
	bool is_mistaken;
} insns[] = {
	{ "vpbroadcastb %esi,%ymm16", { 0x62, 0xe2, 0x7d, 0x28, 0x7a, 0xc6 }, 6, true },
	{ "vmovd %xmm0,%eax", { 0xc5, 0xf9, 0x7e, 0xc0 }, 4, true },
	{ "vpor %xmm1,%xmm0,%xmm0", { 0xc5, 0xf9, 0xeb, 0xc1 }, 4, true },
	{ "vpsubsb %xmm1,%xmm0,%xmm0", { 0xc5, 0xf9, 0xe8, 0xc1 }, 4, true },
	{ "vzeroupper", { 0xc5, 0xf8, 0x77 }, 3, true },
	{ "vfnmadd132ss %xmm1,%xmm0,%xmm2", { 0xc4, 0xe2, 0x79, 0x9d, 0xd1 }, 5, true },
	{ "vmovd %fs:…", { 0x64, 0xc5, 0xf9, 0x7e, 0x00 }, 5, true },
	{ "vpcomd of XOP", { 0x8f, 0xe8, 0x78, 0xca, 0xc1, 0x01 }, 6, true },
	{ "vpxorq %xmm16,%xmm16,%xmm16", { 0x62, 0xa1, 0xfd, 0x00, 0xef, 0xc0 }, 6, false },
	{ "vxorpd %xmm1,%xmm1,%xmm1", { 0xc5, 0xf1, 0x57, 0xc9 }, 4, false },
	{ "vaddps %xmm1,%xmm0,%xmm2", { 0xc5, 0xf8, 0x58, 0xd1 }, 4, false },
	{ "jp", { 0x7a, 0x05 }, 2, false },
	{ "call", { 0xe8, 0, 0, 0, 0 }, 5, false },
	{ "popf", { 0x9d }, 1, false },
	{ "ret", { 0xc3 }, 1, false },
	{ "pop (%rax)", { 0x8f, 0x00, 0x90, 0x7a }, 4, false },
	{ "push %rbp", { 0x55 }, 1, false },
	{ "endbr64", { 0xf3, 0x0f, 0x1e, 0xfa }, 4, false },
	{ "nopl of 5 bytes", { 0x0f, 0x1f, 0x44, 0x00, 0x00 }, 5, false },
	{ "movd of SSE", { 0x66, 0x0f, 0x7e, 0xc0 }, 4, false },
};

int main(void)
{
	uint8_t nothing[1], cut[INSN_MAX];
	size_t i, len;
	bool read = true;

	for (i = 0; i < sizeof(insns) / sizeof(insns[0]); i++)
		is_u64(insn__is_mistaken(insns[i].code, insns[i].len), insns[i].is_mistaken,
		       "%s: %s", insns[i].text,
		       insns[i].is_mistaken ? "another would be executed" : "nothing is wrong");
	/* The sanitizer sees a read behind the end. */
	for (len = 1; len < insns[0].len; len++) {
		memcpy(cut, insns[0].code, len);
		if (len < 5)
			read = read && !insn__is_mistaken(cut, len);
	}
	ok(read, "an instruction that is cut before its opcode: unknown, not wrong");
	is_u64(insn__is_mistaken(nothing, 0), 0, "no byte at all: unknown, not wrong");
	return done_testing();
}
