// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "itrace/process.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "itrace/collect.h"
#include "util/helper_program.h"
#include "util/log.h"
#include "util/stop_signals.h"

#define PROGRAM "bpfperf-itrace"
/* Status of a process that does not become the program, as also of a library that is missing. */
#define CANNOT_EXEC 127
/* Interval in which a wait for a process checks for signals that stop bpfperf. */
#define STOP_CHECK_MS 50

int program__find(struct program *pr)
{
	static const char ours[] = PROGRAM " " BPFPERF_VERSION ",";
	char text[256] = "";

	if (!helper_program__find(PROGRAM, pr->path, sizeof(pr->path))) {
		log_error("--itrace: " PROGRAM " is missing, which decodes Intel PT; install it "
			  "beside bpfperf (it needs libipt)");
		return -ENOENT;
	}
	if (helper_program__version(pr->path, text, sizeof(text))) {
		text[strcspn(text, "\n")] = '\0';
		log_error("--itrace: %s does not run%s%s; install it anew, and the libipt that it "
			  "needs",
			  pr->path, *text ? ": " : "", text);
		return -ENOEXEC;
	}
	if (!strncmp(text, ours, sizeof(ours) - 1))
		return 0;
	log_error("--itrace: %s is not of bpfperf %s, but \"%s\"; install that of this version",
		  pr->path, BPFPERF_VERSION, text);
	return -ENOEXEC;
}

/* The child: descriptors as wire.h has them, then the program. */
static void exec_program(const struct program *pr, int sock, uint32_t from)
{
	int base = ITRACE_IMAGE_FD + (int)pr->image_cnt, last = base - 1, fd;
	char from_text[16], step_text[16];
	char *argv[] = { (char *)PROGRAM, from_text, step_text, NULL };
	char *envp[] = { NULL };
	int fds[ITRACE_IMAGE_FD + COLLECT_IMAGES_MAX];
	size_t i;

	fds[ITRACE_ANSWER_FD] = sock;
	fds[ITRACE_JOB_FD] = pr->job_fd;
	fds[ITRACE_DATA_FD] = pr->data_fd;
	for (i = 0; i < pr->image_cnt; i++)
		fds[ITRACE_IMAGE_FD + i] = pr->images[i];
	/* Out of the way first. */
	for (fd = ITRACE_ANSWER_FD; fd <= last; fd++) {
		fds[fd] = fcntl(fds[fd], F_DUPFD, base);
		if (fds[fd] < 0)
			_exit(CANNOT_EXEC);
	}
	for (fd = ITRACE_ANSWER_FD; fd <= last; fd++)
		if (dup2(fds[fd], fd) < 0)
			_exit(CANNOT_EXEC);
	syscall(SYS_close_range, base, ~0U, 0);
	snprintf(from_text, sizeof(from_text), "%u", from);
	snprintf(step_text, sizeof(step_text), "%u", pr->step);
	stop_signals__unblock();
	/* Ctrl-C is the parent's, which ends this process. */
	signal(SIGINT, SIG_IGN);
	execve(pr->path, argv, envp);
	_exit(CANNOT_EXEC);
}

int process__start(struct process *p, const struct program *pr, uint32_t from)
{
	int fds[2];

	p->fd = -1;
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds))
		return -errno;
	p->pid = fork();
	if (!p->pid)
		exec_program(pr, fds[1], from);
	close(fds[1]);
	if (p->pid < 0) {
		close(fds[0]);
		return -EAGAIN;
	}
	p->fd = fds[0];
	return 0;
}

int process__end(struct process *p)
{
	int status = 0;

	if (p->fd < 0)
		return 0;
	close(p->fd);
	kill(p->pid, SIGKILL);
	waitpid(p->pid, &status, 0);
	p->fd = -1;
	return status;
}

bool process__could_not_start(int status)
{
	if (!WIFEXITED(status) ||
	    (WEXITSTATUS(status) != ITRACE_CANNOT_START && WEXITSTATUS(status) != CANNOT_EXEC))
		return false;
	log_error("--itrace: " PROGRAM " cannot start; run it with more memory and file "
		  "descriptors (ulimit -d, ulimit -n), and outside of a sandbox of its own");
	return true;
}

/* Waits for an answer, or for a signal that asks for the end. 0 or -ECANCELED. */
static int wait_for(const struct process *p)
{
	struct pollfd fd = { .fd = p->fd, .events = POLLIN };

	do {
		if (stop_signals__caught(NULL))
			return -ECANCELED;
	} while (poll(&fd, 1, STOP_CHECK_MS) <= 0);
	return 0;
}

int process__receive(struct process *p, void *buf, size_t sz)
{
	char *to = buf;
	ssize_t n;

	if (p->fd < 0)
		return -EPIPE;
	while (sz) {
		if (wait_for(p))
			return -ECANCELED;
		n = recv(p->fd, to, sz, 0);
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return -EPIPE;
		to += n;
		sz -= (size_t)n;
	}
	return 0;
}
