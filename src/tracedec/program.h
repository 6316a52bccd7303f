/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * A program that decodes traces of a processor, without privileges: the bytes and the code are of
 * others.
 */
#ifndef BPFPERF_TRACEDEC_PROGRAM_H
#define BPFPERF_TRACEDEC_PROGRAM_H

#include <stdint.h>

#include "tracedec/answer.h"
#include "tracedec/job.h"

struct decoder_program {
	const char *name;
	const char *library; /* its name and version */
	/* Maps all code: no file is opened afterwards. 0 or -errno. */
	int (*open)(struct job *job);
	/* Decodes every step-th chunk, from the one with this number on. 0 or -errno. */
	int (*decode)(struct job *job, struct answer *answer, uint32_t from, uint32_t step);
};

/* Prints the version, or decodes (itrace/wire.h). Returns the exit status. */
int program__run(const struct decoder_program *p, int argc, char **argv);

#endif
