// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "util/out_remover.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "util/only_fd.h"

static char *noted;
/* To the process; -1: none. */
static int remover = -1;

void out_remover__note(const char *path)
{
	free(noted);
	noted = strdup(path);
}

/* Waits for the byte that asks for it; the end of the other process is no request. */
static void serve(int fd)
{
	sigset_t all;
	char byte;

	/* Ctrl-C reaches this process, too, and the request comes after it. */
	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, NULL);
	only_fd__keep(fd);
	if (read(0, &byte, 1) == 1)
		unlink(noted);
	_exit(0);
}

void out_remover__start(void (*give_up)(void))
{
	int ends[2];
	pid_t pid;

	if (!noted || socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends))
		return;
	pid = fork();
	if (!pid) {
		give_up();
		serve(ends[1]);
	}
	close(ends[1]);
	if (pid > 0)
		remover = ends[0];
	else
		close(ends[0]);
}

/* The file is gone when the process has ended, and with it its end of the socket. */
static void ask(void)
{
	char byte = 0;
	struct iovec iov = { &byte, 1 };
	const struct msghdr msg = { .msg_iov = &iov, .msg_iovlen = 1 };

	if (sendmsg(remover, &msg, MSG_NOSIGNAL) == 1)
		while (read(remover, &byte, 1) < 0 && errno == EINTR)
			;
}

void out_remover__remove(const char *path)
{
	if (remover >= 0 && !strcmp(path, noted))
		ask();
	else
		unlink(path);
}
