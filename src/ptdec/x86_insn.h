/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Lengths of x86 instructions, and which of them branch (Intel SDM, volume 2, appendix A). */
#ifndef BPFPERF_PTDEC_X86_INSN_H
#define BPFPERF_PTDEC_X86_INSN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define X86_INSN_MAX_SZ 15

/*
 * Returns the length of the instruction at p, of which sz bytes may be read; 0: it is none, or does
 * not end within them. *flags: enum itrace_flag of its kind of branch, 0 for other instructions.
 */
unsigned int x86_insn__length(const uint8_t *p, size_t sz, bool is_64, uint32_t *flags);

#endif
