// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "perf/detach.h"

#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "event/detach_lock.h"
#include "kernel/capabilities.h"

static int compare_fds(const void *a, const void *b)
{
	return *(const int *)a - *(const int *)b;
}

/* Closes every file but these, which are sorted. */
static void close_others(const int *fds, size_t cnt)
{
	int next = 3;
	size_t i;

	for (i = 0; i < cnt; i++) {
		if (fds[i] < next)
			continue;
		if (fds[i] > next)
			syscall(SYS_close_range, next, fds[i] - 1, 0);
		next = fds[i] + 1;
	}
	syscall(SYS_close_range, next, ~0U, 0);
}

/*
 * Closes one after the other: a bpfperf that starts meanwhile would have to wait for all parallel
 * closes.
 */
void detach__in_turn(const int *fds, size_t cnt)
{
	size_t i;
	int turn;

	for (i = 0; i < cnt; i++) {
		if (fds[i] < 0)
			continue;
		turn = detach_lock__enter_detach();
		close(fds[i]);
		detach_lock__leave_detach(turn);
	}
}

static void run_child(const int *fds, int *sorted, size_t cnt)
{
	int null = open("/dev/null", O_RDWR), fd;
	sigset_t all;
	size_t i;

	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, NULL);
	setsid();
	prctl(PR_SET_NAME, "bpfperf-detach");
	/* A working directory would keep a file system busy for minutes. */
	(void)!chdir("/");
	for (fd = 0; fd <= 2; fd++)
		dup2(null, fd);
	for (i = 0; i < cnt; i++)
		sorted[i] = fds[i];
	qsort(sorted, cnt, sizeof(*sorted), compare_fds);
	close_others(sorted, cnt);
	capabilities__keep_to_detach();
	detach__in_turn(fds, cnt);
	_exit(0);
}

void detach__fds(const int *fds, size_t cnt)
{
	int *sorted = calloc(cnt ? cnt : 1, sizeof(*sorted));
	pid_t pid = sorted ? fork() : -1;
	size_t i;

	/* Forked twice: init reaps the child. */
	if (pid == 0) {
		pid = fork();
		if (pid == 0)
			run_child(fds, sorted, cnt);
		_exit(0);
	}
	if (pid > 0)
		waitpid(pid, NULL, 0);
	for (i = 0; i < cnt; i++)
		if (fds[i] >= 0)
			close(fds[i]);
	free(sorted);
}
