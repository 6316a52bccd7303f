// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "cmd/stat_loop.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include "target/targets.h"
#include "run/workload.h"
#include "util/log.h"
#include "util/stop_signals.h"

/* How often is looked whether the tasks of -p and -t are still there; and at others, who may be many. */
#define LOOK_MS 50
#define LOOK_AT_ALL_MS 1000

enum { WAIT_SIGNAL, WAIT_CMD, WAIT_INTERVAL, WAIT_DELAY, WAIT_END, WAIT_CNT };

static struct timespec ns_to_timespec(uint64_t ns)
{
	return (struct timespec){ (time_t)(ns / 1000000000), (long)(ns % 1000000000) };
}

/* A timer that goes off once, or again and again. -1: not wanted; < -1: -errno. */
static int new_timer(uint64_t first_ns, bool again)
{
	struct itimerspec when = { .it_value = ns_to_timespec(first_ns) };
	int fd, err;

	if (!first_ns)
		return -1;
	if (again)
		when.it_interval = when.it_value;
	fd = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
	if (fd >= 0 && !timerfd_settime(fd, 0, &when, NULL))
		return fd;
	err = -errno;
	if (fd >= 0)
		close(fd);
	/* -EPERM is -1, which is no timer. */
	return err < -1 ? err : -EIO;
}

static int open_all(const struct stat_loop *l, struct pollfd *fds)
{
	sigset_t set;
	int i;

	for (i = 0; i < WAIT_CNT; i++)
		fds[i] = (struct pollfd){ .fd = -1, .events = POLLIN };
	stop_signals__fill(&set);
	fds[WAIT_SIGNAL].fd = signalfd(-1, &set, SFD_CLOEXEC);
	if (fds[WAIT_SIGNAL].fd < 0)
		return -errno;
	fds[WAIT_CMD].fd = l->workload->pidfd;
	fds[WAIT_INTERVAL].fd = new_timer(l->interval_ms * 1000000, true);
	fds[WAIT_DELAY].fd = new_timer(l->delay_ms * 1000000, false);
	fds[WAIT_END].fd =
		new_timer(l->duration_ns ? l->duration_ns + l->delay_ms * 1000000 : 0, false);
	for (i = 0; i < WAIT_CNT; i++)
		if (fds[i].fd < -1)
			return fds[i].fd;
	return 0;
}

static void close_all(const struct pollfd *fds)
{
	int i;

	for (i = 0; i < WAIT_CNT; i++)
		if (i != WAIT_CMD && fds[i].fd >= 0)
			close(fds[i].fd);
}

/* It is time to begin. That may have taken seconds, of many events: the duration is counted from now on. */
static int begin(struct stat_loop *l, struct pollfd *end)
{
	const struct itimerspec when = { .it_value = ns_to_timespec(l->duration_ns) };
	int err = l->fn_begin(l->ctx);

	if (err || end->fd < 0)
		return err;
	end->revents = 0;
	return timerfd_settime(end->fd, 0, &when, NULL) ? -errno : 0;
}

/* What has come: -EAGAIN goes on; an enum stat_ended; -errno. */
static int look(struct stat_loop *l, struct pollfd *fds, uint64_t *intervals)
{
	uint64_t expirations;
	int err;

	if (fds[WAIT_DELAY].revents) {
		fds[WAIT_DELAY].events = 0;
		if (read(fds[WAIT_DELAY].fd, &expirations, sizeof(expirations)) > 0) {
			err = begin(l, &fds[WAIT_END]);
			if (err)
				return err;
		}
	}
	if (fds[WAIT_SIGNAL].revents)
		return STAT_STOPPED;
	/* CMD's end wins over an interval that ends with it. */
	if (l->workload->pid && workload__ended(l->workload))
		return STAT_ENDED;
	if (fds[WAIT_INTERVAL].revents &&
	    read(fds[WAIT_INTERVAL].fd, &expirations, sizeof(expirations)) > 0) {
		err = l->fn_interval(l->ctx);
		if (err)
			return err;
		if (++*intervals == l->interval_cnt)
			return STAT_ENOUGH;
	}
	if (fds[WAIT_END].revents || targets__all_gone(l->targets))
		return STAT_ENDED;
	return -EAGAIN;
}

static int look_ms(const struct stat_loop *l)
{
	if (l->targets->pid_cnt || l->targets->tid_cnt)
		return LOOK_MS;
	return l->fn_look ? LOOK_AT_ALL_MS : -1;
}

int stat_loop__run(struct stat_loop *l)
{
	struct pollfd fds[WAIT_CNT];
	uint64_t intervals = 0;
	int err = open_all(l, fds), n;

	if (err)
		log_error("cannot wait: %s; raise `ulimit -n`", strerror(-err));
	else
		err = -EAGAIN;
	while (err == -EAGAIN) {
		n = poll(fds, WAIT_CNT, look_ms(l));
		/* An interval looks by itself. */
		if (!n && l->fn_look)
			l->fn_look(l->ctx);
		if (n < 0 && errno != EINTR)
			err = -errno;
		else
			err = look(l, fds, &intervals);
	}
	close_all(fds);
	return err;
}
