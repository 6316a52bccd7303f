// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "run/loop.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "target/targets.h"
#include "run/workload.h"
#include "sink/out.h"
#include "sink/sink.h"
#include "util/log.h"
#include "util/mono.h"
#include "util/stop_signals.h"

void loop__block_signals(void)
{
	sigset_t set;

	/* A shell starts background jobs with SIGINT ignored; an ignored signal never becomes pending. */
	signal(SIGINT, SIG_DFL);
	stop_signals__fill(&set);
	sigprocmask(SIG_BLOCK, &set, NULL);
}

void loop__unblock_signals(void)
{
	struct timespec none = { 0, 0 };
	sigset_t set;

	stop_signals__fill(&set);
	/* What came while the loop ended has had its effect. */
	while (sigtimedwait(&set, NULL, &none) > 0)
		;
	sigprocmask(SIG_UNBLOCK, &set, NULL);
}

enum wake { WAKE_RING, WAKE_SIGNAL, WAKE_CMD, WAKE_OUTPUT, WAKE_VIEW };

static int watch(int ep, int fd, uint32_t events, enum wake what)
{
	struct epoll_event ev = { .events = events, .data.u32 = what };

	return epoll_ctl(ep, EPOLL_CTL_ADD, fd, &ev) ? -errno : 0;
}

static int watch_all(const struct loop *l, int ep, int sig_fd)
{
	int err = watch(ep, live_source__fd(l->src), EPOLLIN, WAKE_RING);

	if (!err)
		err = watch(ep, sig_fd, EPOLLIN, WAKE_SIGNAL);
	if (!err && l->workload->pidfd >= 0)
		err = watch(ep, l->workload->pidfd, EPOLLIN, WAKE_CMD);
	/* Only EPOLLERR: the reader of a pipe is gone. A regular file cannot be watched, nor needs it. */
	if (!err && l->out)
		watch(ep, l->out->fd, 0, WAKE_OUTPUT);
	if (!err && l->view)
		err = watch(ep, l->view->fd, EPOLLIN, WAKE_VIEW);
	return err;
}

/* Does any of the events end the loop? */
static bool ends(const struct epoll_event *evs, int cnt)
{
	int i;

	for (i = 0; i < cnt; i++)
		if (evs[i].data.u32 != WAKE_RING && evs[i].data.u32 != WAKE_VIEW)
			return true;
	return false;
}

/* The shorter of the two, in whole milliseconds: rather late than early. */
static uint64_t min_ms(uint64_t ms, uint64_t ns)
{
	return ns / 1000000 < ms ? (ns + 999999) / 1000000 : ms;
}

static int run_until_ended(struct loop *l, int ep)
{
	uint64_t end_ns = l->duration_ns ? mono_ns() + l->duration_ns : UINT64_MAX;
	uint64_t next_ns = l->every_ns ? mono_ns() + l->every_ns : UINT64_MAX;
	struct epoll_event evs[8];
	int n, err;

	if (l->out && l->duration_ns)
		l->out->stop_ns = end_ns;
	for (;;) {
		uint64_t now = mono_ns(), wait_ms = l->drain_ms ? l->drain_ms : LIVE_DRAIN_MS;

		if (now >= end_ns)
			return 0;
		if (now >= next_ns) {
			err = l->every(l->ctx);
			if (err)
				return err;
			next_ns += ((now - next_ns) / l->every_ns + 1) * l->every_ns;
		}
		wait_ms = min_ms(wait_ms, end_ns - now);
		wait_ms = min_ms(wait_ms, next_ns - now);
		if (live_source__has_more(l->src))
			wait_ms = 0;
		n = epoll_wait(ep, evs, 8, (int)wait_ms);
		if (n < 0 && errno != EINTR)
			return -errno;
		err = live_source__drain(l->src, false, l->fn, l->ctx);
		if (!err && l->tick)
			err = l->tick(l->ctx);
		if (!err && l->sink)
			err = sink__flush(l->sink);
		if (err)
			return err;
		/* Also at the end: what it was woken for came before. */
		err = l->view ? l->view->fn(l->view->ctx) : 0;
		if (err)
			return err < 0 ? err : 0;
		if (l->out && out__flush(l->out))
			return l->out->err;
		if (n > 0 && ends(evs, n))
			return 0;
		if (targets__all_gone(l->targets))
			return 0;
	}
}

int loop__run(struct loop *l)
{
	int ep = epoll_create1(EPOLL_CLOEXEC), sig_fd, err;
	sigset_t set;

	stop_signals__fill(&set);
	sig_fd = signalfd(-1, &set, SFD_CLOEXEC);
	if (ep < 0 || sig_fd < 0) {
		err = -errno;
		log_error("cannot wait for events: %s; raise `ulimit -n`", strerror(-err));
		goto cleanup;
	}
	err = watch_all(l, ep, sig_fd);
	if (!err && l->workload->pid)
		err = workload__start(l->workload);
	if (!err)
		err = run_until_ended(l, ep);
cleanup:
	if (l->out)
		l->out->ending = true;
	if (sig_fd >= 0)
		close(sig_fd);
	if (ep >= 0)
		close(ep);
	return err;
}
