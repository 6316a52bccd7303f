// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "session/workload.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "util/log.h"

static const char *cmd_name;

/* The child: nothing but async-signal-safe calls between fork and exec. */
static void run_child(int go_fd, int err_fd, char **argv)
{
	sigset_t none;
	char byte;
	int err;

	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	signal(SIGPIPE, SIG_DFL);
	if (read(go_fd, &byte, 1) != 1)
		_exit(0);
	execvp(argv[0], argv);
	err = errno;
	if (write(err_fd, &err, sizeof(err)) < 0)
		_exit(126);
	_exit(127);
}

int workload__prepare(struct workload *w, char **argv)
{
	int go[2], failed[2], err;

	cmd_name = argv[0];
	if (pipe2(go, O_CLOEXEC))
		goto no_pipe;
	if (pipe2(failed, O_CLOEXEC)) {
		close(go[0]);
		close(go[1]);
		goto no_pipe;
	}
	w->pid = fork();
	if (w->pid == 0) {
		close(go[1]);
		run_child(go[0], failed[1], argv);
	}
	err = w->pid < 0 ? -errno : 0;
	close(go[0]);
	close(failed[1]);
	w->go_fd = go[1];
	w->err_fd = failed[0];
	if (!err) {
		w->pidfd = (int)syscall(SYS_pidfd_open, w->pid, 0);
		if (w->pidfd < 0)
			err = -errno;
	}
	if (err)
		log_error("cannot start %s: %s", argv[0], strerror(-err));
	return err;
no_pipe:
	err = -errno;
	log_error("cannot make a pipe: %s; raise `ulimit -n`", strerror(-err));
	return err;
}

int workload__start(struct workload *w)
{
	int err = 0;
	ssize_t n;

	if (write(w->go_fd, "", 1) != 1)
		return -errno;
	w->started = true;
	do {
		n = read(w->err_fd, &err, sizeof(err));
	} while (n < 0 && errno == EINTR);
	if (n != sizeof(err))
		return 0;
	log_error("cannot run %s: %s; give the path of a program after --", cmd_name,
		  strerror(err));
	return -err;
}

bool workload__ended(struct workload *w)
{
	if (!w->pid || w->reaped)
		return w->reaped;
	if (waitpid(w->pid, &w->status, WNOHANG) == w->pid)
		w->reaped = true;
	return w->reaped;
}

void workload__kill(struct workload *w, int sig)
{
	if (w->pid && w->started && !w->reaped)
		kill(w->pid, sig);
}

void workload__free(struct workload *w)
{
	if (w->go_fd >= 0)
		close(w->go_fd);
	if (w->err_fd >= 0)
		close(w->err_fd);
	if (w->pidfd >= 0)
		close(w->pidfd);
	if (w->pid && !w->started)
		waitpid(w->pid, NULL, 0);
	*w = (struct workload)WORKLOAD_INIT;
}
