/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* The user stacks of system calls (strace -k): their definitions, and their lines. */
#ifndef BPFPERF_RUN_STRACE_STACKS_H
#define BPFPERF_RUN_STRACE_STACKS_H

#include <linux/types.h>

#include "bpf/wire.h"
#include "bpf/strace_wire.h"
#include "machine/machine.h"
#include "run/callstacks.h"
#include "util/strbuf.h"

struct unwinder;

struct strace_stacks {
	struct callstacks callstacks;
	struct machine_subscriber to_unwinder;
	/* The execve of this process that begins CMD has no stack: it is bpfperf's. 0: none. */
	uint32_t cmd_pid;
};

/* The machine outlives st. */
void strace_stacks__init(struct strace_stacks *st, struct machine *machine);
void strace_stacks__free(struct strace_stacks *st);
/* Passes process events to the unwinder from now on; NULL: the kernel walks stacks. */
void strace_stacks__subscribe(struct strace_stacks *st, struct machine *machine,
			      struct unwinder *u);
/*
 * Appends the stack of a call, innermost first: a line " > FILE(FUNCTION+0xOFFSET) [0xOFFSET IN THE
 * FILE]" for each function; ctx is a struct strace_stacks. Call it in the turn of the record.
 */
void strace_stacks__put(void *ctx, const struct wire_call *rec, struct strbuf *out);

#endif
