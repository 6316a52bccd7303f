// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "export/sender.h"

#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "util/helper_program.h"
#include "util/log.h"
#include "util/mono.h"
#include "util/stop_signals.h"
#include "util/strbuf.h"

#define PROGRAM "bpfperf-send"

/* A report of bpfperf-send is a datagram of this size at most. */
#define REPORT_SZ 1024

bool sender__is_there(struct sender *s)
{
	return helper_program__find(PROGRAM, s->path, sizeof(s->path));
}

int sender__find(struct sender *s)
{
	if (sender__is_there(s))
		return 0;
	log_error("--to: " PROGRAM " is missing, which sends the profiles; install it beside "
		  "bpfperf (it needs libcurl), or write files: -o 'p-%%t.pb.gz' --every 10s");
	return -ENOENT;
}

int sender__version(const struct sender *s, char *buf, size_t sz)
{
	return helper_program__version(s->path, buf, sz);
}

/* The child: becomes bpfperf-send, with the socket and the spool's lock as only descriptors. */
static void exec_sender(const struct sender *s, int fd)
{
	char fd_text[16];
	char *argv[] = { (char *)PROGRAM, (char *)s->kind, s->spool->dir, fd_text, NULL };
	int lock = dup(s->spool->lock_fd), peer = dup(fd);

	/* The lock is held as long as a process may send from the directory. */
	if (lock < 0 || peer < 0)
		_exit(127);
	snprintf(fd_text, sizeof(fd_text), "%d", peer);
	/* The address may have a password, and command lines are public. */
	setenv("BPFPERF_SEND_URL", s->url, 1);
	stop_signals__unblock();
	execv(s->path, argv);
	_exit(127);
}

int sender__start(struct sender *s)
{
	int fds[2];

	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, fds)) {
		log_error("cannot talk to " PROGRAM ": %s; raise `ulimit -n`", strerror(errno));
		return -errno;
	}
	s->pid = fork();
	if (!s->pid)
		exec_sender(s, fds[1]);
	close(fds[1]);
	s->fd = fds[0];
	if (s->pid > 0)
		return 0;
	log_error("cannot start " PROGRAM ": %s; raise `ulimit -u`", strerror(errno));
	close(s->fd);
	s->fd = -1;
	s->pid = 0;
	return -EAGAIN;
}

static void count(struct spool_sum *sum, uint64_t samples)
{
	sum->messages++;
	sum->samples += samples;
}

/* One warning for each time that sending begins to fail. */
static void warn(struct sender *s, const char *what, const char *text)
{
	struct strbuf sb = STRBUF_INIT;

	strbuf__put_escaped(&sb, text, strlen(text));
	if (!s->has_warned)
		log_warn("--to: %s: %s", what, strbuf__cstr(&sb));
	else
		log_info("--to: %s: %s", what, strbuf__cstr(&sb));
	s->has_warned = true;
	strbuf__free(&sb);
}

/* Reports are "LETTER SAMPLES TEXT". */
static void take_report(struct sender *s, char *report)
{
	uint64_t samples = 0;
	int at = 0;

	sscanf(report, "%*c %" SCNu64 " %n", &samples, &at);
	if (!at)
		return;
	switch (report[0]) {
	case 'S':
		if (s->has_warned)
			log_note("--to: messages are sent again");
		s->has_warned = false;
		count(&s->counts.sent, samples);
		break;
	case 'P':
		s->has_warned = false;
		warn(s, "the store has taken a part of a message alone", report + at);
		count(&s->counts.refused, samples);
		break;
	case 'R':
		s->has_warned = false;
		warn(s, "the store refuses a message", report + at);
		count(&s->counts.refused, samples);
		break;
	case 'D':
		warn(s, "no answer came, so a message may have arrived; it is not sent again",
		     report + at);
		count(&s->counts.in_doubt, samples);
		break;
	case 'W':
		s->counts.retries++;
		warn(s, "messages wait in the spool, and are sent again later", report + at);
		break;
	}
}

/* Reads one report. false: there is none. */
static bool read_report(struct sender *s)
{
	char report[REPORT_SZ + 1];
	ssize_t len = s->fd < 0 ? -1 : recv(s->fd, report, REPORT_SZ, MSG_DONTWAIT);

	if (len > 0) {
		report[len] = '\0';
		take_report(s, report);
		return true;
	}
	if (len == 0) {
		close(s->fd);
		s->fd = -1;
		waitpid(s->pid, NULL, 0);
		s->pid = 0;
	}
	return false;
}

void sender__read(struct sender *s)
{
	while (read_report(s))
		;
}

void sender__wake(struct sender *s)
{
	sender__read(s);
	if (s->fd < 0 && sender__start(s))
		return;
	send(s->fd, "n", 1, MSG_NOSIGNAL | MSG_DONTWAIT);
}

void sender__finish(struct sender *s, int wait_ms)
{
	uint64_t end_ns = mono_ns() + (uint64_t)wait_ms * 1000000ull, now;
	struct pollfd p = { .fd = s->fd, .events = POLLIN };

	if (s->fd < 0)
		return;
	send(s->fd, "q", 1, MSG_NOSIGNAL);
	while (s->fd >= 0 && (now = mono_ns()) < end_ns) {
		poll(&p, 1, (int)((end_ns - now) / 1000000) + 1);
		sender__read(s);
	}
	if (s->fd >= 0)
		close(s->fd);
	s->fd = -1;
}
