/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Instructions of x86-64 at which no probe may be placed (arch/x86/kernel/uprobes.c, seen up to
 * 6.18). Some the kernel refuses: one function that begins with one has it refuse a link to
 * thousands of others, without a word which it was. Vector instructions it looks up by their opcode
 * as if that were one of a single byte, so that it carries out vpcmpeqb (74) as je, and vzeroupper
 * (77) as ja: the program goes wrong, and with a function of the C library all programs do.
 */
#ifndef BPFPERF_PROBE_REFUSED_H
#define BPFPERF_PROBE_REFUSED_H

#include <stddef.h>
#include <stdint.h>

/* The longest instruction of x86. */
#define REFUSED_INSN_SZ 15

enum refused_why {
	REFUSED_NOT, /* it can be probed, as far as is known */
	REFUSED_BY_KERNEL,
	REFUSED_HARMFUL, /* the kernel accepts it, and does something else */
};

/* Looks at the instruction at the start of these bytes, of which there are sz. */
enum refused_why refused__x86_64(const uint8_t *insn, size_t sz);

#endif
