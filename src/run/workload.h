/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* CMD: forked early, so that it can be marked; started when all is attached. */
#ifndef BPFPERF_RUN_WORKLOAD_H
#define BPFPERF_RUN_WORKLOAD_H

#include <stdbool.h>
#include <sys/resource.h>
#include <sys/types.h>

struct cmd_user;

struct workload {
	pid_t pid; /* 0: none */
	char path[4096]; /* its program, once it is prepared */
	int pidfd; /* readable once CMD has ended; -1: none */
	int go_fd; /* a byte makes the child call exec; if it is closed instead, the child exits */
	int err_fd; /* errno of a failed exec; EOF: it succeeded */
	/*
	 * Set before prepare: what it prints goes to stderr, as stdout is for a format that is no
	 * text.
	 */
	bool to_stderr;
	const struct cmd_user *user; /* set before prepare: the user it runs as; NULL: unchanged */
	bool started, reaped;
	int status; /* as of waitpid() */
	struct rusage usage; /* once reaped: of it and the children it has waited for */
};

#define WORKLOAD_INIT                                                                              \
	{                                                                                          \
		.go_fd = -1, .err_fd = -1, .pidfd = -1                                             \
	}

/* Is there a program of this name, a path or to be found in PATH? 0 or -errno. */
int workload__find(const char *name);
/*
 * workload__find(), may it run as the user (NULL: unchanged), and one sentence where not: checked
 * before an output file is emptied for a mistyped name.
 */
int workload__check(const char *name, const struct cmd_user *user);
/* Forks the child, which waits. 0 or -errno (logged). */
int workload__prepare(struct workload *w, char **argv);
/* Lets it exec. 0, or -errno after one sentence where exec failed. */
int workload__start(struct workload *w);
/* Has it ended? Reaps it. */
bool workload__ended(struct workload *w);
/*
 * The exit status as a shell has it: 128 and the signal that ended CMD; 0 where CMD was not
 * reaped.
 */
int workload__exit_status(const struct workload *w);
/* A child that was never started exits; one that runs goes on. */
void workload__free(struct workload *w);

#endif
