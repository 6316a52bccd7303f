// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "util/thread.h"

#include <signal.h>

int thread__start(pthread_t *thread, void *(*fn)(void *arg), void *arg)
{
	sigset_t all, before;
	int err;

	/* A thread inherits the signal mask of its creator. */
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	err = pthread_create(thread, NULL, fn, arg);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return -err;
}
