/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* A run of why: states of threads are recorded, and the critical path is found at the end. */
#ifndef BPFPERF_RUN_WHY_RUN_H
#define BPFPERF_RUN_WHY_RUN_H

#include <stddef.h>
#include <stdint.h>

#include "event/event.h"
#include "target/targets.h"

struct cmd_user;

struct why_options {
	const struct targets *targets;
	const struct cmd_user *cmd_user; /* the user that CMD runs as; NULL: the caller */
	uint64_t duration_ns;
	uint64_t freq_hz; /* samples of running threads; 0: the default */
	const char *output; /* NULL: stdout */
	const char *format; /* NULL: by the suffix of output, else text */
	const char *input; /* a recording to read instead; NULL: none */
	const char *from, *to; /* tracepoints that delimit a request; NULL: the whole time */
	size_t ring_sz; /* bytes per CPU; 0: default */
	bool lost_exit;
};

/* argv is CMD, if argc is not 0. Returns the exit status of the command. */
int why_run(const struct why_options *opts, int argc, char **argv);

#endif
