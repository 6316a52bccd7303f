// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "itrace/process.h"

#include <errno.h>
#include <fcntl.h>
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

/* Status of a process that does not become the program, as also of a library that is missing. */
#define CANNOT_EXEC 127

static const struct {
	const char *name, *decodes, *library;
} known[ITRACE_UNIT_CNT] = {
	[ITRACE_UNIT_PT] = { "bpfperf-itrace", "Intel PT", "libipt" },
	[ITRACE_UNIT_ETM] = { "bpfperf-etm", "CoreSight", "libopencsd" },
};

static bool find(struct helper *h, enum itrace_unit unit)
{
	if (helper_program__find(known[unit].name, h->path, sizeof(h->path)))
		return true;
	snprintf(h->problem, sizeof(h->problem),
		 "%s is missing, which decodes %s; install it beside bpfperf (it needs %s)",
		 known[unit].name, known[unit].decodes, known[unit].library);
	h->err = -ENOENT;
	return false;
}

/* Takes the answer of a program that was asked for its version. */
static void take_version(struct helper *h, enum itrace_unit unit)
{
	char text[200] = "", ours[100];

	h->is_asked = false;
	h->err = -ENOEXEC;
	if (helper_program__answer(&h->question, text, sizeof(text))) {
		text[strcspn(text, "\n")] = '\0';
		snprintf(h->problem, sizeof(h->problem),
			 "%.250s does not run%s%s; install it anew, and the %s that it needs",
			 h->path, *text ? ": " : "", text, known[unit].library);
		return;
	}
	snprintf(ours, sizeof(ours), "%s " BPFPERF_VERSION ",", known[unit].name);
	if (strncmp(text, ours, strlen(ours)))
		snprintf(h->problem, sizeof(h->problem),
			 "%.250s is not of bpfperf %s, but \"%s\"; install that of this version",
			 h->path, BPFPERF_VERSION, text);
	else
		h->err = 0;
}

static void ask(struct helper *h, enum itrace_unit unit)
{
	h->err = helper_program__ask(h->path, &h->question);
	h->is_asked = !h->err;
	if (h->err)
		snprintf(h->problem, sizeof(h->problem), "%.250s cannot start: %s; install %s anew",
			 h->path, strerror(-h->err), known[unit].name);
}

void program__find(struct program *pr)
{
	if (find(&pr->helpers[ITRACE_UNIT_PT], ITRACE_UNIT_PT))
		ask(&pr->helpers[ITRACE_UNIT_PT], ITRACE_UNIT_PT);
	find(&pr->helpers[ITRACE_UNIT_ETM], ITRACE_UNIT_ETM);
}

int program__choose(struct program *pr, enum itrace_unit unit)
{
	struct helper *h = &pr->helpers[unit];

	if (h->is_asked)
		take_version(h, unit);
	if (h->err) {
		log_error("--itrace: %s", h->problem);
		return h->err;
	}
	pr->path = h->path;
	pr->name = known[unit].name;
	return 0;
}

/* The child: descriptors as wire.h has them, then the program. */
static void exec_program(const struct program *pr, int sock, int ring_fd, uint32_t from)
{
	int base = ITRACE_IMAGE_FD + (int)pr->image_cnt, last = base - 1, fd;
	char from_text[16], step_text[16], version[] = BPFPERF_VERSION;
	char *argv[] = { (char *)pr->name, from_text, step_text, version, NULL };
	char *envp[] = { NULL };
	int fds[ITRACE_IMAGE_FD + COLLECT_IMAGES_MAX];
	size_t i;

	fds[ITRACE_WAKE_FD] = sock;
	fds[ITRACE_RING_FD] = ring_fd;
	fds[ITRACE_JOB_FD] = pr->job_fd;
	fds[ITRACE_DATA_FD] = pr->data_fd;
	for (i = 0; i < pr->image_cnt; i++)
		fds[ITRACE_IMAGE_FD + i] = pr->images[i];
	/* Out of the way first. */
	for (fd = ITRACE_WAKE_FD; fd <= last; fd++) {
		fds[fd] = fcntl(fds[fd], F_DUPFD, base);
		if (fds[fd] < 0)
			_exit(CANNOT_EXEC);
	}
	for (fd = ITRACE_WAKE_FD; fd <= last; fd++)
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
	int fds[2], ring_fd;

	p->fd = -1;
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds))
		return -errno;
	ring_fd = answer_ring__make(&p->ring, fds[0], pr->ring_sz);
	p->pid = ring_fd < 0 ? -1 : fork();
	if (!p->pid)
		exec_program(pr, fds[1], ring_fd, from);
	close(fds[1]);
	if (p->pid < 0) {
		close(fds[0]);
		answer_ring__free(&p->ring);
	} else {
		p->fd = fds[0];
	}
	if (ring_fd < 0)
		return ring_fd;
	close(ring_fd);
	return p->pid < 0 ? -EAGAIN : 0;
}

int process__end(struct process *p)
{
	int status = 0;

	if (p->fd < 0)
		return 0;
	close(p->fd);
	kill(p->pid, SIGKILL);
	waitpid(p->pid, &status, 0);
	answer_ring__free(&p->ring);
	p->fd = -1;
	return status;
}

bool process__could_not_start(const struct program *pr, int status)
{
	switch (WIFEXITED(status) ? WEXITSTATUS(status) : 0) {
	case ITRACE_OTHER_VERSION:
		log_error("--itrace: %s is not of bpfperf %s; install that of this version",
			  pr->path, BPFPERF_VERSION);
		return true;
	case ITRACE_CANNOT_START:
	case CANNOT_EXEC:
		log_error("--itrace: %s cannot start; install the library that it needs, and run "
			  "it with more memory and file descriptors (ulimit -d, ulimit -n), and "
			  "outside of a sandbox of its own",
			  pr->name);
		return true;
	default:
		return false;
	}
}
