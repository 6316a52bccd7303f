// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "decode/print_trial.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "decode/print_plan.h"

#define CPU_MAX_S 1
#define MEM_MAX_SZ (1ul << 30)
/*
 * Limit in wall-clock seconds: the child of a multithreaded process may wait for a lock whose
 * holder it does not have.
 */
#define WAIT_MAX_S 5
#define TRIES_MAX 4

static void limit(void)
{
	const struct rlimit cpu = { CPU_MAX_S, CPU_MAX_S }, none = { 0, 0 };
	sigset_t alarms;

	sigemptyset(&alarms);
	sigaddset(&alarms, SIGALRM);
	signal(SIGALRM, SIG_DFL);
	sigprocmask(SIG_UNBLOCK, &alarms, NULL);
	alarm(WAIT_MAX_S);
	setrlimit(RLIMIT_CPU, &cpu);
	setrlimit(RLIMIT_CORE, &none);
#ifndef __SANITIZE_ADDRESS__
	/* The sanitizer itself needs far more memory. */
	const struct rlimit mem = { MEM_MAX_SZ, MEM_MAX_SZ };

	setrlimit(RLIMIT_DATA, &mem);
#endif
}

/* Returns the child's waitpid() status, or -errno. */
static int try_in_child(const struct tp_format *fmt)
{
	struct print_plan *plan;
	int status, fd;
	pid_t pid = fork();

	if (pid < 0)
		return -errno;
	if (!pid) {
		limit();
		fd = open("/dev/null", O_WRONLY);
		dup2(fd, STDOUT_FILENO);
		dup2(fd, STDERR_FILENO);
		plan = print_plan__new(fmt);
		print_plan__free(plan);
		_exit(plan ? 0 : 1);
	}
	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return -errno;
	return status;
}

bool print_trial(const struct tp_format *fmt)
{
	int i, status = -1;

	for (i = 0; i < TRIES_MAX; i++) {
		status = try_in_child(fmt);
		if (status < 0 || !WIFSIGNALED(status) || WTERMSIG(status) != SIGALRM)
			break;
	}
	return status >= 0 && WIFEXITED(status) && !WEXITSTATUS(status);
}
