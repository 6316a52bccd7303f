/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* The programs that decode traces, and the processes that run one of them. */
#ifndef BPFPERF_ITRACE_PROCESS_H
#define BPFPERF_ITRACE_PROCESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "itrace/answer_ring.h"
#include "itrace/wire.h"
#include "util/helper_program.h"

/* A process runs one of these programs. */
struct program {
	/* For each unit: its path, or why there is none that runs. */
	struct helper {
		char path[4200];
		char problem[600]; /* "": none */
		int err;
		bool is_asked;
		struct helper_question question;
	} helpers[ITRACE_UNIT_CNT];
	const char *path, *name; /* of the one that runs */
	uint32_t step; /* a process decodes every step-th chunk */
	uint64_t ring_sz; /* bytes that a process holds back */
	/* Descriptors that a process gets; not owned. */
	int job_fd, data_fd;
	const int *images;
	size_t image_cnt;
};

struct process {
	pid_t pid;
	int fd; /* the socket on which it is woken; -1: it does not run */
	struct answer_ring ring; /* its answers */
};

/*
 * Looks for the programs, while it is not known which one a recording needs. That of Intel PT must
 * run here, and be of our build, else each chunk of the trace would look damaged: it is asked while
 * the recording is read. The other one is asked when it starts, since that takes longer.
 */
void program__find(struct program *pr);
/* Chooses the program of a unit. 0, -ENOENT or -ENOEXEC, logged. */
int program__choose(struct program *pr, enum itrace_unit unit);
/*
 * Starts the process that decodes the chunk `from`, and every one that is its turn. 0 or -errno: it
 * does not run.
 */
int process__start(struct process *p, const struct program *pr, uint32_t from);
/* Returns the status that the process ended with, as of waitpid(2); 0: it does not run. */
int process__end(struct process *p);
/* Did a process with this status end before it could decode anything? Then that is logged. */
bool process__could_not_start(const struct program *pr, int status);

#endif
