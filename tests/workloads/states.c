// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * states MS: threads that compute, sleep, and take turns at a lock for MS milliseconds. As its last
 * act each prints what the kernel has counted for it: its id, its time on a CPU and its time ready
 * to run without one (/proc/thread-self/schedstat, ns). A forked process does likewise.
 */
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>

#include "workload.h"

#define THREADS 5

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static uint64_t end_ns;

static uint64_t now_ns(clockid_t clock)
{
	struct timespec ts;

	clock_gettime(clock, &ts);
	return (uint64_t)ts.tv_sec * 1000000000u + (uint64_t)ts.tv_nsec;
}

static void compute(uint64_t ns)
{
	uint64_t until = now_ns(CLOCK_THREAD_CPUTIME_ID) + ns;

	while (now_ns(CLOCK_THREAD_CPUTIME_ID) < until)
		;
}

static void print_states(void)
{
	char text[64] = "", line[128];
	int fd = open("/proc/thread-self/schedstat", O_RDONLY), len;
	ssize_t n = read(fd, text, sizeof(text) - 1);

	len = snprintf(line, sizeof(line), "states %ld %s", syscall(SYS_gettid), text);
	if (n <= 0 || write(1, line, (size_t)len) != len)
		_exit(1);
}

/* nr decides how much of each the thread does. */
static void *run(void *arg)
{
	uint64_t nr = (uint64_t)(uintptr_t)arg;
	const struct timespec nap = { 0, (long)(1000000 + 700000 * nr) };

	while (now_ns(CLOCK_MONOTONIC) < end_ns) {
		compute(100000 * (nr + 1));
		if (nr % 2)
			nanosleep(&nap, NULL);
		pthread_mutex_lock(&lock);
		compute(30000);
		pthread_mutex_unlock(&lock);
	}
	print_states();
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t threads[THREADS];
	uintptr_t i;
	pid_t pid;

	end_ns = now_ns(CLOCK_MONOTONIC);
	end_ns += (argc > 1 ? strtoull(argv[1], NULL, 10) : 1000) * 1000000;
	pid = fork();
	if (!pid) {
		run((void *)(uintptr_t)3);
		_exit(0);
	}
	for (i = 0; i < THREADS; i++)
		if (pthread_create(&threads[i], NULL, run, (void *)i))
			return 1;
	for (i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	return waitpid(pid, NULL, 0) != pid;
}
