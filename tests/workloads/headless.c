// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * headless: its first thread ends at once (pthread_exit() in main), and the other one, "headless",
 * burns CPU time in headless_spin() with a getppid() now and then, until it is killed. Says pid and
 * tid first.
 */
#include <pthread.h>
#include <sys/prctl.h>

#include "workload.h"

static volatile unsigned long spun;
static pthread_t first;

__attribute__((noinline, noclone)) void headless_spin(void)
{
	int i;

	for (i = 0; i < 200000; i++)
		spun++;
	__asm__ volatile("" ::: "memory");
}

static void *run(void *arg)
{
	prctl(PR_SET_NAME, "headless");
	pthread_join(first, NULL);
	workload__say("pid=%d tid=%d\n", (int)getpid(), (int)syscall(SYS_gettid));
	for (;;) {
		headless_spin();
		syscall(SYS_getppid);
	}
	return arg;
}

int main(void)
{
	pthread_t other;

	first = pthread_self();
	if (pthread_create(&other, NULL, run, NULL))
		return 1;
	pthread_exit(NULL);
}
