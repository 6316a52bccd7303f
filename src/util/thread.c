// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "util/thread.h"

#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "util/u64map.h"

#define URGENT_NICE (-20)
/* No thread blocks it. */
#define CALL_SIGNAL (SIGRTMIN + 1)

int thread__start(pthread_t *thread, void *(*fn)(void *arg), void *arg)
{
	sigset_t all, before;
	int err;

	/* A thread inherits the signal mask of its creator. */
	sigfillset(&all);
	sigdelset(&all, CALL_SIGNAL);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	err = pthread_create(thread, NULL, fn, arg);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return -err;
}

static void (*called_fn)(void);

static void on_call(int sig)
{
	int err = errno;

	called_fn();
	errno = err;
}

/* Sends the signal to the threads that have not had it. Returns the number of these. */
static size_t call_threads(struct u64map *called)
{
	DIR *dir = opendir("/proc/self/task");
	struct dirent *de;
	uint32_t *slot;
	size_t cnt = 0;
	int tid;

	while (dir && (de = readdir(dir))) {
		tid = atoi(de->d_name);
		if (tid <= 0 || tid == gettid())
			continue;
		slot = u64map__slot(called, (uint64_t)tid);
		if (!slot || *slot != U64MAP_NONE)
			continue;
		*slot = 1;
		cnt += !syscall(SYS_tgkill, getpid(), tid, CALL_SIGNAL);
	}
	if (dir)
		closedir(dir);
	return cnt;
}

void thread__run_in_all(void (*fn)(void))
{
	struct sigaction act = { .sa_handler = on_call, .sa_flags = SA_RESTART };
	struct u64map called = U64MAP_INIT;

	called_fn = fn;
	fn();
	sigfillset(&act.sa_mask);
	/* Again while a thread appears: one may start another before its own signal. */
	if (!sigaction(CALL_SIGNAL, &act, NULL))
		while (call_threads(&called))
			;
	u64map__free(&called);
}

int thread__make_urgent(void)
{
	int nice = getpriority(PRIO_PROCESS, (id_t)gettid());

	thread__set_nice(URGENT_NICE);
	return nice;
}

void thread__set_nice(int nice)
{
	setpriority(PRIO_PROCESS, (id_t)gettid(), nice);
}
