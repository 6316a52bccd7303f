// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "util/helper_program.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

bool helper_program__find(const char *name, char *path, size_t sz)
{
	static const char *const places[] = { "", "../libexec/bpfperf/" };
	char self[PATH_MAX], *slash;
	ssize_t len = readlink("/proc/self/exe", self, sizeof(self) - 1);
	size_t i;

	if (len <= 0)
		return false;
	self[len] = '\0';
	slash = strrchr(self, '/');
	if (slash)
		*slash = '\0';
	for (i = 0; i < sizeof(places) / sizeof(*places); i++) {
		snprintf(path, sz, "%s/%s%s", self, places[i], name);
		if (!access(path, X_OK))
			return true;
	}
	return false;
}

int helper_program__ask(const char *path, struct helper_question *q)
{
	char option[] = "--version";
	char *argv[] = { (char *)path, option, NULL };
	posix_spawn_file_actions_t actions;
	int fds[2], err;

	if (pipe2(fds, O_CLOEXEC))
		return -errno;
	err = posix_spawn_file_actions_init(&actions);
	if (!err) {
		err = posix_spawn_file_actions_adddup2(&actions, fds[1], STDOUT_FILENO);
		if (!err)
			err = posix_spawn_file_actions_adddup2(&actions, fds[1], STDERR_FILENO);
		if (!err)
			err = posix_spawn(&q->pid, path, &actions, NULL, argv, environ);
		posix_spawn_file_actions_destroy(&actions);
	}
	close(fds[1]);
	q->fd = fds[0];
	if (err)
		close(q->fd);
	return -err;
}

int helper_program__answer(struct helper_question *q, char *buf, size_t sz)
{
	size_t have = 0;
	int status;
	ssize_t n;

	while (have + 1 < sz) {
		n = read(q->fd, buf + have, sz - 1 - have);
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			break;
		have += (size_t)n;
	}
	buf[have] = '\0';
	close(q->fd);
	while (waitpid(q->pid, &status, 0) < 0)
		if (errno != EINTR)
			return -errno;
	if (status || !have)
		return -ENOEXEC;
	buf[strcspn(buf, "\n")] = '\0';
	return 0;
}

int helper_program__version(const char *path, char *buf, size_t sz)
{
	struct helper_question q;
	int err = helper_program__ask(path, &q);

	return err ? err : helper_program__answer(&q, buf, sz);
}
