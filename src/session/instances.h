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
 * Called before any object is opened: each perf-event and tracepoint program that has an
 * instance_index() (bpf/instance.bpf.h) is then loaded as the instance of event 0, and what its
 * copies need is kept: where the index is, and the types of the global functions that the program
 * calls. Returns 0 or -errno.
 */
int instances__prepare(void);
/*
 * Makes `cnt` instances of a loaded program, of events 0 to cnt - 1: the program itself, and copies
 * with another index. Returns 0, -ENOENT (the program has no index), or another -errno.
 */
int instances__load(struct instances *in, const struct bpf_program *prog, size_t cnt);
void instances__free(struct instances *in);

#endif
