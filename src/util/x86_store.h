/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Writes of x86 instructions to the stack frame (Intel SDM, volume 2). */
#ifndef BPFPERF_UTIL_X86_STORE_H
#define BPFPERF_UTIL_X86_STORE_H

#include <stdint.h>

#include "util/x86_operands.h"

enum x86_store_kind {
	X86_STORE_NONE, /* it writes no memory, or pushes */
	X86_STORE_MOVE, /* of a register, to the stack or frame pointer plus disp */
	X86_STORE_CHANGE, /* of what is there, or to a constant */
	X86_STORE_ELSEWHERE, /* it writes to another address, or is not known */
};

struct x86_store {
	enum x86_store_kind kind;
	uint32_t size; /* bytes */
	uint8_t from; /* X86_STORE_MOVE: the register, as x86_flow.h numbers them */
};

/* Tells what the instruction writes; where: o->disp. */
void x86_store__of(const struct x86_operands *o, struct x86_store *st);

#endif
