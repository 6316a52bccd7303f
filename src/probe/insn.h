/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Instructions under a uprobe of x86. The kernel executes the one in whose place the breakpoint is by
 * itself where it is a jump, a call, a return or the like, and tells that by the first byte of the
 * opcode. An instruction of vectors has an opcode map of its own, in which these bytes mean others:
 * vpbroadcastb of EVEX is taken for a jump, and the program goes on with a wrong register.
 * Source: branch_setup_xol_ops() and arch_uprobe_analyze_insn() in the kernel's
 * arch/x86/kernel/uprobes.c; Intel's manual, volume 2, 2.3 and 2.7, for the prefixes.
 */
#ifndef BPFPERF_PROBE_INSN_H
#define BPFPERF_PROBE_INSN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define INSN_MAX 15 /* bytes */

/*
 * Would the kernel execute another instruction in the place of this one of x86? Only the `len` bytes
 * from `code` on are read; too few of them: false.
 */
bool insn__is_mistaken(const uint8_t *code, size_t len);

#endif
