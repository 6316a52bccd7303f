// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "event/detach_lock.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/file.h>
#include <unistd.h>

#include "event/tracefs.h"

static int held_fd = -1;

static int open_gate(void)
{
	const char *dir = tracefs__dir();

	return dir ? open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
}

bool detach_lock__hold(void)
{
	if (held_fd >= 0)
		return false;
	held_fd = open_gate();
	/* Shared: starting processes do not wait for each other. */
	if (held_fd >= 0)
		flock(held_fd, LOCK_SH);
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
