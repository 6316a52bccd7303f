/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Which registers have their old values, or copies of them, behind x86 instructions. */
#ifndef BPFPERF_UTIL_X86_FLOW_H
#define BPFPERF_UTIL_X86_FLOW_H

#include <stdbool.h>
#include <stdint.h>

#include "util/x86_operands.h"

/* Registers as bits: the general ones from 0 on, xmm0 to xmm15 from here on. */
#define X86_FLOW_VECTOR 16
#define X86_FLOW_ALL 0xffffffffu

/*
 * Follows one instruction. *old: registers with an old value, as bits. A part of an old value (its
 * lowest bytes, or what a shift leaves) is one, a sum is none. is_old_in_memory: does its memory
 * operand, if it has one, have an old value? What an unknown instruction writes is not old: nor is
 * anything where this is not known.
 */
void x86_flow__step(const struct x86_operands *o, bool is_old_in_memory, uint32_t *old);

#endif
