/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* What a run of bpfperf stack needs before anything is active. */
#ifndef BPFPERF_CMD_STACK_OPEN_H
#define BPFPERF_CMD_STACK_OPEN_H

struct stack;

/* What makes samples of records, and names of addresses. 0 or -errno (said). */
int stack_open__decoder(struct stack *st);
/* Kernel side: programs loaded, rings mapped, events attached, nothing active. 0 or -errno (said). */
int stack_open__session(struct stack *st);

#endif
