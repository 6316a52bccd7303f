/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Lengths of x86-64 instructions: a probe within one would change it, and the kernel does not look.
 * Opcode maps of the Intel SDM, volume 2, appendix A; VEX and EVEX prefixes of its chapter 2.
 */
#ifndef BPFPERF_PROBE_INSN_LEN_H
#define BPFPERF_PROBE_INSN_LEN_H

#include <stddef.h>
#include <stdint.h>

#define INSN_LEN_MAX 15

/* Returns the length of the instruction at the bytes; 0: it is not known, or longer than sz. */
size_t insn_len__x86_64(const uint8_t *insn, size_t sz);

#endif
