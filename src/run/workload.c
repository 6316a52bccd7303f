// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "run/workload.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "kernel/limits.h"
#include "run/cmd_user.h"
#include "util/log.h"

extern char **environ;

/* A shell adds this to the signal that ended a command. */
#define SIGNAL_STATUS 128

static const char *cmd_name;

/* The child's report if it could not execute CMD. */
struct start_error {
	int err; /* errno */
	bool in_identity; /* it could not take the identity of --as-user */
};

/* The child: nothing but async-signal-safe calls between fork and exec. */
static void run_child(const struct workload *w, int go_fd, int err_fd, char **argv)
{
	struct start_error failed = { 0 };
	sigset_t none;
	ssize_t n;
	char byte;

	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	signal(SIGPIPE, SIG_DFL);
	signal(SIGXFSZ, SIG_DFL);
	limits__restore();
	if (w->to_stderr)
		dup2(STDERR_FILENO, STDOUT_FILENO);
	/* Before CMD is observed: its records begin with its own first call. */
	if (w->user) {
		failed.err = -cmd_user__become(w->user);
		failed.in_identity = failed.err;
		environ = w->user->env;
	}
	do
		n = read(go_fd, &byte, 1);
	while (n < 0 && errno == EINTR);
	/* bpfperf has ended before. */
	if (!n)
		_exit(0);
	if (n < 0)
		failed.err = errno;
	if (!failed.err) {
		execvp(argv[0], argv);
		failed.err = errno;
	}
	if (write(err_fd, &failed, sizeof(failed)) < 0)
		_exit(126);
	_exit(127);
}

/* Puts the path of the program that execvp() will run into `full`. 0 or -errno. */
static int find_program(const char *name, char *full, size_t sz)
{
	const char *path = getenv("PATH"), *p;
	int err = -ENOENT;

	if (strchr(name, '/')) {
		snprintf(full, sz, "%s", name);
		return access(name, X_OK) ? -errno : 0;
	}
	for (p = path ? path : "/usr/bin:/bin"; *p; p += *p == ':') {
		int len = (int)strcspn(p, ":");

		snprintf(full, sz, "%.*s/%s", len, p, name);
		if (access(full, X_OK) == 0)
			return 0;
		if (errno == EACCES)
			err = -EACCES;
		p += len;
	}
	return err;
}

int workload__find(const char *name)
{
	char full[PATH_MAX];

	return find_program(name, full, sizeof(full));
}

static void explain_exec(const char *name, int err)
{
	log_error("cannot run %s: %s; give the path of a program after --", name, strerror(-err));
}

int workload__check(const char *name, const struct cmd_user *user)
{
	int err = workload__find(name);

	if (err)
		explain_exec(name, err);
	return err ? err : cmd_user__check(user);
}

int workload__prepare(struct workload *w, char **argv)
{
	int go[2], failed[2], err;

	cmd_name = argv[0];
	err = workload__check(argv[0], w->user);
	if (err)
		return err;
	find_program(argv[0], w->path, sizeof(w->path));
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
		run_child(w, go[0], failed[1], argv);
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
	struct start_error failed;
	bool is_there = write(w->go_fd, "", 1) == 1;
	ssize_t n;

	w->started = true;
	/* Its process, if there is one, must not wait for the byte for ever. */
	if (!is_there) {
		close(w->go_fd);
		w->go_fd = -1;
	}
	do {
		n = read(w->err_fd, &failed, sizeof(failed));
	} while (n < 0 && errno == EINTR);
	if (n != sizeof(failed) && is_there)
		return 0;
	if (n != sizeof(failed)) {
		log_error("cannot run %s: its process was ended before; run bpfperf again",
			  cmd_name);
		return -ECHILD;
	}
	if (failed.in_identity)
		log_error("cannot run %s as %s: %s; --as-user needs CAP_SETUID, CAP_SETGID and a "
			  "user namespace that has the user; omit it, or run bpfperf outside of "
			  "the container",
			  cmd_name, w->user->name, strerror(failed.err));
	else
		explain_exec(cmd_name, -failed.err);
	return -failed.err;
}

bool workload__ended(struct workload *w)
{
	if (!w->pid || w->reaped)
		return w->reaped;
	if (wait4(w->pid, &w->status, WNOHANG, &w->usage) == w->pid)
		w->reaped = true;
	return w->reaped;
}

int workload__exit_status(const struct workload *w)
{
	if (!w->pid || !w->reaped)
		return 0;
	if (WIFSIGNALED(w->status))
		return SIGNAL_STATUS + WTERMSIG(w->status);
	return WEXITSTATUS(w->status);
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
