// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * sched_pingpong [N [CPU|apart [OVER]]]: two threads hand one byte to and fro N times through two
 * pipes. On one CPU (given, or the first that is allowed) each hand-over is one switch of tasks;
 * CPU "apart": each thread has one of its own, and wakes the other while that one may still be on
 * its way to sleep. Done with that, each takes the name OVER: what the kernel does to end a thread
 * may come after others were told that it has ended.
 */
#include <pthread.h>
#include <sched.h>
#include <stdbool.h>
#include <sys/prctl.h>

#include "workload.h"

static int there[2], back[2];
static unsigned long rounds;
static int partner_tid, partner_cpu;
static const char *over;

/* The first CPU from this one on that is allowed; where there is none, the first of all. */
static int allowed_from(int first)
{
	cpu_set_t set;
	int i, cpu;

	if (sched_getaffinity(0, sizeof(set), &set))
		return -1;
	for (i = 0; i < CPU_SETSIZE; i++) {
		cpu = (first + i) % CPU_SETSIZE;
		if (CPU_ISSET(cpu, &set))
			return cpu;
	}
	return -1;
}

/* The calling thread, to one CPU. */
static int pin(int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	return sched_setaffinity(0, sizeof(set), &set);
}

static void *partner__run(void *arg)
{
	unsigned long i;
	char c;

	partner_tid = (int)syscall(SYS_gettid);
	if (pin(partner_cpu))
		return arg;
	for (i = 0; i < rounds; i++)
		if (read(there[0], &c, 1) != 1 || write(back[1], &c, 1) != 1)
			return arg;
	if (over)
		prctl(PR_SET_NAME, over);
	return NULL;
}

int main(int argc, char **argv)
{
	bool apart = argc > 2 && !strcmp(argv[2], "apart");
	int cpu = argc > 2 && !apart ? atoi(argv[2]) : allowed_from(0);
	unsigned long i;
	pthread_t thread;
	void *bad;
	char c = 0;

	rounds = argc > 1 ? workload__count(argv[1]) : 10007;
	over = argc > 3 ? argv[3] : NULL;
	partner_cpu = apart ? allowed_from(cpu + 1) : cpu;
	if (cpu < 0 || pin(cpu) || pipe(there) || pipe(back) ||
	    pthread_create(&thread, NULL, partner__run, &rounds))
		return 1;
	for (i = 0; i < rounds; i++)
		if (write(there[1], &c, 1) != 1 || read(back[0], &c, 1) != 1)
			return 1;
	if (over)
		prctl(PR_SET_NAME, over);
	if (pthread_join(thread, &bad) || bad)
		return 1;
	workload__say("pid=%d partner=%d cpu=%d rounds=%lu switches=%lu\n",
		      (int)syscall(SYS_gettid), partner_tid, cpu, rounds, 2 * rounds);
	return 0;
}
