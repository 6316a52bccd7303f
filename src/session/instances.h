/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * One instance of a program per event, for kernels whose programs cannot ask
 * which event they serve (before 5.15), and where events are few.
 */
#ifndef BPFPERF_SESSION_INSTANCES_H
#define BPFPERF_SESSION_INSTANCES_H

#include <stddef.h>

struct bpf_program;

struct instances {
	int *fds;
	size_t cnt;
};

/*
 * Before any object is opened: keeps what the kernel must be told of the global functions that
 * perf-event and tracepoint programs call, when they are loaded. 0 or -errno.
 */
int instances__prepare(void);
/*
 * Loads `cnt` copies of a loaded program: copy i has i in place of the
 * constant that its event_index() holds (bpf/tracepoint.bpf.c, bpf/stack.bpf.c). 0 or -errno.
 */
int instances__load(struct instances *in, const struct bpf_program *prog, size_t cnt);
void instances__free(struct instances *in);

#endif
