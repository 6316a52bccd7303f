// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "event/gate.h"

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <sys/file.h>
#include <unistd.h>

#include "event/tracefs.h"

static int held_fd = -1;

static int open_gate(void)
{
	const char *dir = tracefs__dir();

	return dir ? open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
}

void gate__hold(void)
{
	if (held_fd >= 0)
		return;
	held_fd = open_gate();
	/* Shared: those who start do not wait for each other. */
	if (held_fd >= 0)
		flock(held_fd, LOCK_SH);
}

void gate__release(void)
{
	if (held_fd < 0)
		return;
	/* Explicitly: a forked child may have the same open file. */
	flock(held_fd, LOCK_UN);
	close(held_fd);
	held_fd = -1;
}

void gate__pass(void)
{
	int fd = open_gate();

	if (fd < 0)
		return;
	while (flock(fd, LOCK_EX) && errno == EINTR)
		;
	close(fd);
}
