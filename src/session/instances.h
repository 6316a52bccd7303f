/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * One instance of a program per event, for kernels on which a program cannot ask which event it
 * serves (before 5.15), and for sessions with few events.
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
 * Called before any object is opened: keeps the types of the global functions that perf-event and
 * tracepoint programs call, which the kernel needs when instances are loaded. Returns 0 or -errno.
 */
int instances__prepare(void);
/*
 * Loads `cnt` copies of a loaded program: copy i has i in place of the constant in its
 * instance_index() (bpf/instance.bpf.h). Returns 0 or -errno.
 */
int instances__load(struct instances *in, const struct bpf_program *prog, size_t cnt);
void instances__free(struct instances *in);

#endif
