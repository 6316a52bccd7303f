/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Lengths of x86 instructions, and which of them branch (Intel SDM, volume 2, appendix A). */
#ifndef BPFPERF_UTIL_X86_INSN_H
#define BPFPERF_UTIL_X86_INSN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define X86_INSN_MAX_SZ 15

/* Kinds of branches. */
enum x86_insn_flag {
	X86_INSN_BRANCH = 1 << 0,
	X86_INSN_CALL = 1 << 1,
	X86_INSN_RETURN = 1 << 2,
	X86_INSN_CONDITIONAL = 1 << 3,
	X86_INSN_SYSCALL = 1 << 4,
	X86_INSN_INTERRUPT = 1 << 6,
	X86_INSN_VMENTRY = 1 << 11,
};

/*
 * Returns the length of the instruction at p, of which sz bytes may be read; 0: it is none, or does
 * not end within them. *flags: enum x86_insn_flag, 0 for other instructions.
 */
unsigned int x86_insn__length(const uint8_t *p, size_t sz, bool is_64, uint32_t *flags);

#endif
