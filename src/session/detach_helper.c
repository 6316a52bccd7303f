// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "session/detach_helper.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <bpf/bpf.h>

#include "perf/detach.h"
#include "kernel/capabilities.h"
#include "kernel/features.h"
#include "kernel/limits.h"
#include "host/cpu_list.h"
#include "util/log.h"

/* Opens one attachment. Returns its fd, or -errno. */
static int attach_one(const struct detach_attachment *a, int cpu, int use_cookies)
{
	/*
	 * Without sample_period the event counts and only the program samples. (Some events, such
	 * as irq_work_exit, refuse perf's own sampling.) The program of a disabled event runs all
	 * the same, and the kernel need not reschedule all other events of the CPU for each event
	 * that is added. The exception, Linux 7.1, has its events from tp_witness.h.
	 */
	struct perf_event_attr attr = {
		.type = PERF_TYPE_TRACEPOINT,
		.size = sizeof(attr),
		.config = a->tp_id,
		.disabled = 1,
	};
	LIBBPF_OPTS(bpf_link_create_opts, opts, .perf_event.bpf_cookie = a->cookie);
	int fd, link, err;

	if (!a->tp_id) {
		attr.type = a->type;
		attr.config = a->config;
		attr.config1 = a->config1;
		attr.config2 = a->config2;
	}
	/* One CPU is enough: the program runs wherever the tracepoint is hit. */
	fd = (int)syscall(SYS_perf_event_open, &attr, -1, cpu, -1, PERF_FLAG_FD_CLOEXEC);
	if (fd < 0)
		return -errno;
	if (!use_cookies) {
		if (ioctl(fd, PERF_EVENT_IOC_SET_BPF, a->prog_fd) == 0)
			return fd;
		err = -errno;
		close(fd);
		return err;
	}
	link = bpf_link_create(a->prog_fd, fd, BPF_PERF_EVENT, &opts);
	/* The link holds the event open. */
	close(fd);
	return link;
}

/* Attaches all; fds[i] is -1 if attachment i failed. */
static void attach_all(struct detach_attachment *atts, size_t cnt, int use_cookies, int *fds)
{
	int cpu = cpu_list__any_online(NULL);
	size_t i;

	for (i = 0; i < cnt; i++) {
		fds[i] = attach_one(&atts[i], cpu, use_cookies);
		atts[i].err = fds[i] < 0 ? fds[i] : 0;
	}
}

/* Closes everything inherited by the fork but the programs and the socket. */
static void become_silent(const struct detach_attachment *atts, size_t cnt, int *sock)
{
	int null = open("/dev/null", O_RDWR), fd, max = 2;
	size_t i;

	setsid();
	prctl(PR_SET_NAME, "bpfperf-detach");
	/* A working directory would keep a file system busy for minutes. */
	(void)!chdir("/");
	signal(SIGPIPE, SIG_IGN);
	for (fd = 0; fd <= 2; fd++)
		dup2(null, fd);
	for (i = 0; i < cnt; i++)
		if (atts[i].prog_fd > max)
			max = atts[i].prog_fd;
	/*
	 * Moves the socket above all programs; every fd below it that is no program can then be
	 * closed.
	 */
	fd = fcntl(*sock, F_DUPFD_CLOEXEC, max + 1);
	if (fd >= 0)
		*sock = fd;
	max = *sock;
	for (fd = 3; fd < max; fd++) {
		for (i = 0; i < cnt && atts[i].prog_fd != fd; i++)
			;
		if (i == cnt)
			close(fd);
	}
	syscall(SYS_close_range, max + 1, ~0U, 0);
}

static void run_warden(struct detach_attachment *atts, size_t cnt, int use_cookies, int *active,
		       int sock)
{
	int *fds = calloc(cnt, sizeof(*fds));
	sigset_t all;
	size_t i;
	char byte;

	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, NULL);
	become_silent(atts, cnt, &sock);
	limits__raise_files();
	if (!fds)
		_exit(1);
	attach_all(atts, cnt, use_cookies, fds);
	capabilities__keep_to_detach();
	for (i = 0; i < cnt; i++)
		if (write(sock, &atts[i].err, sizeof(atts[i].err)) != sizeof(atts[i].err))
			break;
	/*
	 * No byte is ever sent: the read ends when bpfperf does. bpfperf waits for the outcomes:
	 * where one could not be sent, it is told by the end of the socket.
	 */
	if (i < cnt)
		shutdown(sock, SHUT_RDWR);
	while (read(sock, &byte, 1) < 0 && errno == EINTR)
		;
	__atomic_store_n(active, 0, __ATOMIC_RELEASE);
	detach__in_turn(fds, cnt);
	_exit(0);
}

static int read_outcomes(int sock, struct detach_attachment *atts, size_t cnt)
{
	size_t i;

	for (i = 0; i < cnt; i++) {
		char *p = (char *)&atts[i].err;
		size_t got = 0;

		while (got < sizeof(atts[i].err)) {
			ssize_t n = read(sock, p + got, sizeof(atts[i].err) - got);

			if (n < 0 && errno == EINTR)
				continue;
			if (n <= 0)
				return -ECHILD;
			got += (size_t)n;
		}
	}
	return 0;
}

int detach_helper__start(struct detach_helper *w, struct detach_attachment *atts, size_t cnt,
			 int use_cookies, int *active)
{
	int sock[2], err;
	pid_t pid;

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sock)) {
		err = -errno;
		goto fail;
	}
	/* Forked twice: the detach helper outlives bpfperf, and init reaps it. */
	pid = fork();
	if (pid == 0) {
		pid = fork();
		if (pid != 0)
			_exit(pid < 0);
		close(sock[0]);
		run_warden(atts, cnt, use_cookies, active, sock[1]);
	}
	err = pid < 0 ? -errno : 0;
	close(sock[1]);
	if (!err && waitpid(pid, NULL, 0) < 0)
		err = -errno;
	if (!err)
		err = read_outcomes(sock[0], atts, cnt);
	if (!err) {
		w->fd = sock[0];
		return 0;
	}
	close(sock[0]);
fail:
	log_error("cannot start the process that attaches tracepoints: %s; see `ulimit -u -n`",
		  strerror(-err));
	return err;
}

int detach_helper__fd(const struct detach_helper *w)
{
	return feature__have(FEATURE_DETACH_WATCH) ? w->fd : -1;
}

void detach_helper__release(struct detach_helper *w)
{
	if (w->fd >= 0)
		close(w->fd);
	w->fd = -1;
}
