// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * states MS: threads that compute, sleep, and take turns at a lock for MS milliseconds, and wait
 * then. When all of them wait, what the kernel has counted for each is printed: its id, its time on
 * a CPU and its time ready to run without one (/proc/PID/task/TID/schedstat, ns). A forked process
 * does likewise. It ends when it is killed: none of the threads runs between the counts and that.
 */
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>

#include "workload.h"

#define THREADS 5

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static uint64_t end_ns;
static pid_t tids[THREADS];
/* Threads of both processes that have worked. */
static unsigned int *worked;

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

/* Reads a file of /proc of the thread. */
static void read_file(pid_t pid, pid_t tid, const char *name, char text[256])
{
	char path[64];
	ssize_t n;
	int fd;

	snprintf(path, sizeof(path), "/proc/%d/task/%d/%s", pid, tid, name);
	fd = open(path, O_RDONLY);
	n = read(fd, text, 255);
	if (n <= 0)
		_exit(1);
	text[n] = '\0';
	close(fd);
}

/* Waits until all threads have worked, and this one sleeps. */
static void await_sleep(pid_t pid, pid_t tid)
{
	const struct timespec nap = { 0, 10000000 };
	char text[256];

	do {
		nanosleep(&nap, NULL);
		read_file(pid, tid, "stat", text);
	} while (__atomic_load_n(worked, __ATOMIC_ACQUIRE) <= THREADS ||
		 strncmp(strrchr(text, ')'), ") S", 3));
}

static void print_states(pid_t pid, pid_t tid)
{
	char text[256];

	read_file(pid, tid, "schedstat", text);
	printf("states %d %s", tid, text);
}

/* nr decides how much of each the thread does. */
static void *run(void *arg)
{
	uint64_t nr = (uint64_t)(uintptr_t)arg;
	const struct timespec nap = { 0, (long)(1000000 + 700000 * nr) };

	tids[nr] = (pid_t)syscall(SYS_gettid);
	while (now_ns(CLOCK_MONOTONIC) < end_ns) {
		compute(100000 * (nr + 1));
		if (nr % 2)
			nanosleep(&nap, NULL);
		pthread_mutex_lock(&lock);
		compute(30000);
		pthread_mutex_unlock(&lock);
	}
	__atomic_add_fetch(worked, 1, __ATOMIC_RELEASE);
	for (;;)
		pause();
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t threads[THREADS];
	uintptr_t i;
	pid_t pid;

	/* If nothing ends it before. */
	alarm(60);
	end_ns = now_ns(CLOCK_MONOTONIC);
	end_ns += (argc > 1 ? strtoull(argv[1], NULL, 10) : 1000) * 1000000;
	worked = mmap(NULL, sizeof(*worked), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1,
		      0);
	if (worked == MAP_FAILED)
		return 1;
	pid = fork();
	if (!pid) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		run((void *)(uintptr_t)3);
	}
	for (i = 0; i < THREADS; i++)
		if (pthread_create(&threads[i], NULL, run, (void *)i))
			return 1;
	await_sleep(pid, pid);
	for (i = 0; i < THREADS; i++)
		await_sleep(getpid(), tids[i]);
	for (i = 0; i < THREADS; i++)
		print_states(getpid(), tids[i]);
	print_states(pid, pid);
	fflush(stdout);
	for (;;)
		pause();
}
