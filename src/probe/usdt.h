/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Probes that a program's authors have put into it (USDT): the notes of <sys/sdt.h>, and the
 * operands by which these describe arguments. Runs in readers. Source: systemtap's
 * UserSpaceProbeImplementation.
 */
#ifndef BPFPERF_PROBE_USDT_H
#define BPFPERF_PROBE_USDT_H

#include "probe/regs.h"
#include "probe/value.h"

/* A note. */
struct usdt_note {
	const char *provider, *name, *args; /* in the file's memory */
	uint64_t vaddr; /* of the probe */
	uint64_t sem_off; /* of its semaphore, in the file; 0: none */
};

/*
 * Calls fn for each note of the file; it ends the walk by another value than 0, which is returned.
 * -ENOEXEC: no ELF file.
 */
int usdt__each(int fd, int (*fn)(void *ctx, const struct usdt_note *note), void *ctx);
/* The number of arguments in a note's text. */
size_t usdt__arg_cnt(const char *args);
/*
 * The nth argument (from 0) of a note's text "8@%rdi -4@-20(%rbp)". Operands that are not known
 * become PIECE_NONE.
 */
void usdt__arg(const struct probe_regs *regs, const char *args, size_t nth, struct value *v);

#endif
