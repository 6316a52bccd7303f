/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Straight code up to its branch, found once for each address. */
#ifndef BPFPERF_PTDEC_CODE_H
#define BPFPERF_PTDEC_CODE_H

#include <stdint.h>

#include "ptdec/flow_priv.h"

/* How a block ends. */
enum code_end {
	CODE_NEXT, /* it goes on at `to` */
	CODE_SPACE, /* likewise, with other page tables: a trace of one process may end there */
	CODE_JUMP, /* to `to` */
	CODE_CALL, /* likewise, and pushes `next` */
	CODE_COND, /* to `to` or `next` */
	CODE_RETURN,
	CODE_INDIRECT, /* and whatever else has an address in the trace */
	CODE_INDIRECT_CALL,
};

struct code_block {
	uint64_t ip, end_ip; /* the first and the last instruction */
	uint64_t to, next;
	struct flow_last last;
	uint32_t space, insn_cnt, change;
	int isid;
	enum code_end end;
};

struct code;

/* NULL: no memory. */
struct code *code__new(const struct job *job);
/* The kernel's code has changed. */
void code__forget_kernel(struct code *c);
/*
 * The block at an address of a space (job__space()), in 64-bit mode; valid until the next call.
 * NULL: there is no code.
 */
const struct code_block *code__block(struct code *c, uint32_t space, uint64_t ip);

#endif
