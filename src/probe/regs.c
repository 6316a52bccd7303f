// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "probe/regs.h"

#include <elf.h>
#include <stddef.h>

#if defined(__x86_64__)

/* Offsets of struct pt_regs (<asm/ptrace.h>). */
enum {
	R15 = 0,
	R14 = 8,
	R13 = 16,
	R12 = 24,
	BP = 32,
	BX = 40,
	R11 = 48,
	R10 = 56,
	R9 = 64,
	R8 = 72,
	AX = 80,
	CX = 88,
	DX = 96,
	SI = 104,
	DI = 112,
	IP = 128,
	SP = 152,
	CONTEXT_SZ = 168,
};

/* System V ABI for x86-64, figure 3.36: DWARF register numbers. */
static const int16_t x86_64_offs[] = { AX, DX,  CX,  BX,  SI,  DI,  BP,  SP, R8,
				       R9, R10, R11, R12, R13, R14, R15, IP };
static const uint8_t x86_64_args[] = { 5, 4, 1, 2, 8, 9 };
/* Go's internal ABI (src/cmd/compile/abi-internal.md): AX, BX, CX, DI, SI, R8, R9, R10, R11. */
static const uint8_t x86_64_go_args[] = { 0, 3, 2, 5, 4, 8, 9, 10, 11 };
/* System V ABI for i386, figure 2.14. All arguments are on the stack. */
static const int16_t i386_offs[] = { AX, CX, DX, BX, SP, BP, SI, DI, IP };

static const struct probe_regs known[] = {
	{ EM_X86_64, 8, 6, x86_64_args, 0, 1, 7, 6, 8, x86_64_offs,
	  sizeof(x86_64_offs) / sizeof(x86_64_offs[0]), IP },
	{ EM_386, 4, 0, NULL, 0, 2, 4, 5, 4, i386_offs, sizeof(i386_offs) / sizeof(i386_offs[0]),
	  IP },
};
#define GO_ARGS x86_64_go_args

#elif defined(__aarch64__)

enum { CONTEXT_SZ = 272, PC = 256 };

/* struct user_pt_regs: x0 to x30, sp, pc, pstate; DWARF numbers are those of the registers. */
static const int16_t arm64_offs[] = { 0,   8,   16,  24,  32,  40,  48,  56,  64,  72,  80,
				      88,  96,  104, 112, 120, 128, 136, 144, 152, 160, 168,
				      176, 184, 192, 200, 208, 216, 224, 232, 240, 248 };
static const uint8_t arm64_args[] = { 0, 1, 2, 3, 4, 5, 6, 7 };
static const uint8_t arm64_go_args[] = { 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15 };

static const struct probe_regs known[] = {
	{ EM_AARCH64, 8, 8, arm64_args, 0, 1, 31, 29, 0, arm64_offs,
	  sizeof(arm64_offs) / sizeof(arm64_offs[0]), PC },
};
#define GO_ARGS arm64_go_args

#else

enum { CONTEXT_SZ = 0 };
static const struct probe_regs known[] = { { EM_NONE, 0, 0, NULL, 0, 0, 0, 0, 0, NULL, 0, 0 } };
static const uint8_t no_args[1];
#define GO_ARGS no_args

#endif

const struct probe_regs *probe_regs__of(uint16_t machine, bool is64)
{
	size_t i;

	for (i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		if (known[i].machine == machine && known[i].machine != EM_NONE &&
		    (known[i].addr_sz == 8) == is64)
			return &known[i];
	return NULL;
}

const uint8_t *probe_regs__go(const struct probe_regs *regs, uint8_t *cnt)
{
	*cnt = regs->addr_sz == 8 ? sizeof(GO_ARGS) : 0;
	return GO_ARGS;
}

int probe_regs__off(const struct probe_regs *regs, uint64_t dwarf_nr)
{
	return dwarf_nr < regs->off_cnt ? regs->offs[dwarf_nr] : -1;
}

uint32_t probe_regs__context_sz(void)
{
	return CONTEXT_SZ;
}
