/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* The program that walks are tested on: tests/unit/data/unwind.cc. */
#ifndef BPFPERF_TESTS_UNWIND_PROGRAM_H
#define BPFPERF_TESTS_UNWIND_PROGRAM_H

#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "tap.h"

/* Built without frame pointers as DIR/NAME. */
TAP_FN bool build_program(const char *dir, const char *opts, const char *name)
{
	const char *top = getenv("TOP");
	char cmd[1024];

	snprintf(cmd, sizeof(cmd),
		 "g++ -O2 -fomit-frame-pointer -Wl,-z,lazy %s '%s/tests/unit/data/unwind.cc' "
		 "-o '%s/%s' -lpthread",
		 opts, top ? top : ".", dir, name);
	return ok(!system(cmd), "built: %s", opts);
}

/*
 * Starts a program that writes the id of the thread that spins, once it does: to *tid; 0: it does
 * not come to that.
 */
TAP_FN pid_t start_program(char **argv, int32_t *tid)
{
	int out[2];
	pid_t pid;

	if (pipe2(out, O_CLOEXEC))
		exit(1);
	pid = fork();
	if (!pid) {
		dup2(out[1], STDOUT_FILENO);
		execvp(argv[0], argv);
		_exit(127);
	}
	close(out[1]);
	if (read(out[0], tid, sizeof(*tid)) != sizeof(*tid))
		*tid = 0;
	close(out[0]);
	return pid;
}

#endif
