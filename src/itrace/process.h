/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* The program bpfperf-itrace, and the processes that run it. */
#ifndef BPFPERF_ITRACE_PROCESS_H
#define BPFPERF_ITRACE_PROCESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct program {
	char path[4200];
	uint32_t step; /* a process decodes every step-th chunk */
	/* Descriptors that a process gets; not owned. */
	int job_fd, data_fd;
	const int *images;
	size_t image_cnt;
};

struct process {
	pid_t pid;
	int fd; /* -1: it does not run */
};

/*
 * Sets the path. The program must run here, and be of our build: else each chunk of the trace would
 * look damaged. 0, -ENOENT or -ENOEXEC, logged.
 */
int program__find(struct program *pr);
/*
 * Starts the process that decodes the chunk `from`, and every one that is its turn. 0 or -errno: it
 * does not run.
 */
int process__start(struct process *p, const struct program *pr, uint32_t from);
/* Returns the status that the process ended with, as of waitpid(2); 0: it does not run. */
int process__end(struct process *p);
/* Did a process with this status end before it could decode anything? Then that is logged. */
bool process__could_not_start(int status);
/* Waits for sz bytes. 0; -EPIPE: the process has ended; -ECANCELED: a signal asks for the end. */
int process__receive(struct process *p, void *buf, size_t sz);

#endif
