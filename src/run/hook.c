// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "run/hook.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "util/log.h"
#include "util/stop_signals.h"

static void exec_shell(const char *command)
{
	sigset_t set;

	/* Stop signals are blocked here while runs go on. */
	stop_signals__fill(&set);
	sigprocmask(SIG_UNBLOCK, &set, NULL);
	execl("/bin/sh", "sh", "-c", command, (char *)NULL);
	_exit(127);
}

int hook__run(const char *option, const char *command)
{
	int status;
	pid_t pid;

	if (!command)
		return 0;
	pid = fork();
	if (!pid)
		exec_shell(command);
	while (pid > 0 && waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			pid = -1;
	if (pid < 0) {
		int err = -errno;

		log_error("%s %s: %s", option, command, strerror(-err));
		return err;
	}
	if (WIFEXITED(status) && !WEXITSTATUS(status))
		return 0;
	log_error("%s %s: it failed with status %d, and no further run starts", option, command,
		  WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status));
	return -ECANCELED;
}
