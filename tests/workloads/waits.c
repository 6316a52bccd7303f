// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * waits CPU: threads that wait in functions of their own until the process is killed. One reads a
 * pipe that stays empty, one takes naps of 5 ms, one waits for a child of vfork(), and two take
 * turns on CPU.
 */
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <time.h>

#include "workload.h"

static int pipe_fds[2];
static volatile unsigned long burnt;

/* An instruction behind a call keeps the call from becoming a jump. */
#define STAY() __asm__ volatile("" ::: "memory")

__attribute__((noinline, noclone)) static void wait_for_input(void)
{
	char c;

	while (read(pipe_fds[0], &c, 1) == 1)
		STAY();
	STAY();
}

__attribute__((noinline, noclone)) static void take_naps(void)
{
	const struct timespec nap = { 0, 5000000 };

	while (!nanosleep(&nap, NULL))
		STAY();
	STAY();
}

__attribute__((noinline, noclone)) static void wait_for_vfork(void)
{
	if (!vfork()) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		for (;;)
			syscall(SYS_ppoll, NULL, 0, NULL, NULL, 0);
	}
	STAY();
}

__attribute__((noinline, noclone)) static void burn(void)
{
	for (;;)
		burnt++;
}

static void *run(void *function)
{
	((void (*)(void))function)();
	STAY();
	return NULL;
}

int main(int argc, char **argv)
{
	void (*const functions[])(void) = { take_naps, wait_for_vfork, burn, burn };
	pthread_t thread;
	cpu_set_t set;
	size_t i;

	if (argc < 2 || pipe(pipe_fds))
		return 1;
	CPU_ZERO(&set);
	CPU_SET(atoi(argv[1]), &set);
	for (i = 0; i < sizeof(functions) / sizeof(functions[0]); i++) {
		if (pthread_create(&thread, NULL, run, (void *)functions[i]))
			return 1;
		if (functions[i] == burn && pthread_setaffinity_np(thread, sizeof(set), &set))
			return 1;
	}
	wait_for_input();
	return 0;
}
