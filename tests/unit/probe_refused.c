// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* Instructions at which no probe may be placed, and what the kernel does at a hit of others. */
#include <elf.h>

#include "probe/hit_class.h"
#include "probe/refused.h"
#include "tap.h"

static void check_classes(void)
{
	static const struct {
		const char *what;
		uint8_t insn[8];
		size_t sz;
		enum hit_class want;
	} tests[] = {
		{ "push %rbp", { 0x55, 0x48 }, 2, HIT_PUSH },
		{ "push %r15", { 0x41, 0x57 }, 2, HIT_PUSH },
		{ "mov $0,%r15d is no push", { 0x41, 0xbf }, 2, HIT_STEP },
		{ "jmp", { 0xe9, 0, 0, 0, 0 }, 5, HIT_PUSH },
		{ "jne far", { 0x0f, 0x85, 0, 0 }, 4, HIT_PUSH },
		{ "nop", { 0x90 }, 1, HIT_PUSH },
		{ "nopl 0(%rax,%rax,1)", { 0x0f, 0x1f, 0x44, 0, 0 }, 5, HIT_NOP5 },
		{ "a nop of five bytes, cut", { 0x0f, 0x1f, 0x44, 0 }, 4, HIT_STEP },
		{ "endbr64", { 0xf3, 0x0f, 0x1e, 0xfa }, 4, HIT_ENDBR },
		{ "sub $8,%rsp", { 0x48, 0x83, 0xec, 0x08 }, 4, HIT_SUB },
		{ "xor %eax,%eax", { 0x31, 0xc0 }, 2, HIT_STEP },
		{ "a byte of push %r15", { 0x41 }, 1, HIT_STEP },
		{ "no bytes", { 0 }, 0, HIT_UNKNOWN },
	};
	size_t i;

	for (i = 0; i < sizeof(tests) / sizeof(tests[0]); i++)
		ok(hit_class__of(EM_X86_64, tests[i].insn, tests[i].sz) == tests[i].want,
		   "the class of a hit: %s", tests[i].what);
	ok(hit_class__of(EM_386, tests[0].insn, 1) == HIT_UNKNOWN,
	   "the class of a hit: not known of other programs");
}

int main(void)
{
	static const struct {
		const char *what;
		uint8_t insn[8];
		size_t sz;
		enum refused_why want;
	} tests[] = {
		{ "push %rbp", { 0x55 }, 1, REFUSED_NOT },
		{ "endbr64", { 0xf3, 0x0f, 0x1e, 0xfa }, 4, REFUSED_NOT },
		{ "sub $8,%rsp", { 0x48, 0x83, 0xec, 0x08 }, 4, REFUSED_NOT },
		{ "jmp", { 0xe9, 0, 0, 0, 0 }, 5, REFUSED_NOT },
		{ "je", { 0x74, 0x10 }, 2, REFUSED_NOT },
		{ "lock decl (%rdi)", { 0xf0, 0xff, 0x0f }, 3, REFUSED_BY_KERNEL },
		{ "syscall", { 0x0f, 0x05 }, 2, REFUSED_BY_KERNEL },
		{ "hlt", { 0xf4 }, 1, REFUSED_BY_KERNEL },
		{ "vmovd %esi,%xmm0", { 0xc5, 0xf9, 0x6e, 0xc6 }, 4, REFUSED_BY_KERNEL },
		{ "vpxor", { 0xc5, 0xf9, 0xef, 0xc0 }, 4, REFUSED_BY_KERNEL },
		{ "vmovups", { 0xc5, 0xf8, 0x28, 0xc8 }, 4, REFUSED_NOT },
		{ "vxorps", { 0xc5, 0xe0, 0x57, 0xdb }, 4, REFUSED_NOT },
		{ "vpcmpeqb: as je", { 0xc5, 0xf9, 0x74, 0xc0 }, 4, REFUSED_HARMFUL },
		{ "vzeroupper: as ja", { 0xc5, 0xf8, 0x77 }, 3, REFUSED_HARMFUL },
		{ "vpbroadcastb to ymm16: as jp",
		  { 0x62, 0xe2, 0x7d, 0x28, 0x7a, 0xc6 },
		  6,
		  REFUSED_HARMFUL },
		{ "vmovd %xmm0,%eax: as jle", { 0xc5, 0xf9, 0x7e, 0xc0 }, 4, REFUSED_HARMFUL },
		{ "vpor: as jmp", { 0xc5, 0xf9, 0xeb, 0xc1 }, 4, REFUSED_HARMFUL },
		{ "vpsubsb: as call", { 0xc5, 0xf9, 0xe8, 0xc1 }, 4, REFUSED_HARMFUL },
		{ "vfnmadd132ss: as popf", { 0xc4, 0xe2, 0x79, 0x9d, 0xd1 }, 5, REFUSED_HARMFUL },
		{ "movd of SSE", { 0x66, 0x0f, 0x7e, 0xc0 }, 4, REFUSED_NOT },
		{ "a byte of vpcmpeqb", { 0xc5 }, 1, REFUSED_NOT },
		{ "prefixes alone", { 0x66, 0x66 }, 2, REFUSED_NOT },
	};
	size_t i;

	ok(refused__x86_64(NULL, 0) == REFUSED_NOT, "no bytes at all: nothing is refused");
	for (i = 0; i < sizeof(tests) / sizeof(tests[0]); i++)
		ok(refused__x86_64(tests[i].insn, tests[i].sz) == tests[i].want, "%s",
		   tests[i].what);
	check_classes();
	return done_testing();
}
