// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "event/detach_lock.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "event/tracefs.h"
#include "util/log.h"
#include "util/stop_signals.h"
#include "util/thread.h"

/* A wait that is shorter is not worth a message: one detachment takes some 100 ms. */
#define QUIET_MS 1000

static int held_fd = -1;

static int open_gate(void)
{
	const char *dir = tracefs__dir();

	return dir ? open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
}

/* A wait for the lock; flock(2) can be given neither a timeout nor a signal mask. */
struct lock_wait {
	int lock_fd;
	int done_fd; /* an eventfd: readable once the lock is held */
	int signal_fd; /* readable while a blocked stop signal is pending */
};

static void *wait_in_thread(void *arg)
{
	struct lock_wait *w = arg;

	while (flock(w->lock_fd, LOCK_SH) && errno == EINTR)
		;
	eventfd_write(w->done_fd, 1);
	return NULL;
}

/* Waits for the thread; says once what for. False: a stop signal came first. */
static bool wait_for_thread(const struct lock_wait *w)
{
	struct pollfd fds[] = { { .fd = w->done_fd, .events = POLLIN },
				{ .fd = w->signal_fd, .events = POLLIN } };
	int timeout_ms = QUIET_MS;

	while (!fds[0].revents && !fds[1].revents) {
		int n = poll(fds, 2, timeout_ms);

		if (n < 0 && errno != EINTR)
			break;
		if (n == 0) {
			log_note("waiting for another process, which detaches tracepoints or "
				 "locks %s (lslocks(8) shows it); end that process, or wait",
				 tracefs__dir());
			timeout_ms = -1;
		}
	}
	return fds[0].revents;
}

/* Waits until the lock can be shared, or a stop signal is pending. True: it is held. */
static bool wait_for_lock(int lock_fd)
{
	struct lock_wait *w = malloc(sizeof(*w));
	pthread_t thread;
	sigset_t set;

	/* On the heap: it is left to a thread that still waits, as are its descriptors. */
	if (!w)
		return false;
	stop_signals__fill(&set);
	w->lock_fd = lock_fd;
	w->done_fd = eventfd(0, EFD_CLOEXEC);
	w->signal_fd = signalfd(-1, &set, SFD_CLOEXEC);
	if (w->done_fd >= 0 && w->signal_fd >= 0 && !thread__start(&thread, wait_in_thread, w)) {
		if (!wait_for_thread(w)) {
			pthread_detach(thread);
			return false;
		}
		pthread_join(thread, NULL);
	} else {
		flock(lock_fd, LOCK_SH);
	}
	if (w->done_fd >= 0)
		close(w->done_fd);
	if (w->signal_fd >= 0)
		close(w->signal_fd);
	free(w);
	return true;
}

bool detach_lock__hold(void)
{
	int fd;

	if (held_fd >= 0)
		return false;
	fd = open_gate();
	if (fd < 0)
		return true;
	/* Shared: starting processes do not wait for each other. */
	if (!flock(fd, LOCK_SH | LOCK_NB) || wait_for_lock(fd))
		held_fd = fd;
	return true;
}

void detach_lock__release(void)
{
	if (held_fd < 0)
		return;
	/* Unlock explicitly: a forked child may share the open file. */
	flock(held_fd, LOCK_UN);
	close(held_fd);
	held_fd = -1;
}

static void lock_exclusively(int fd)
{
	while (flock(fd, LOCK_EX) && errno == EINTR)
		;
}

int detach_lock__enter_detach(void)
{
	const char *dir = tracefs__dir();
	char path[PATH_MAX];
	int turn, lock;

	/* Detaching processes queue on a separate lock, on another directory. */
	snprintf(path, sizeof(path), "%s/events", dir ? dir : "");
	turn = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (turn >= 0)
		lock_exclusively(turn);
	/* Taken and released at once: a starting process need not wait to get it. */
	lock = open_gate();
	if (lock >= 0) {
		lock_exclusively(lock);
		close(lock);
	}
	return turn;
}

void detach_lock__leave_detach(int fd)
{
	if (fd >= 0)
		close(fd);
}
