// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * family [N]: N calls of getppid under each of many names and ids: renamed, from threads (one of
 * them named by another thread), from a child of a thread, after an exec, and from an exec made by
 * a thread that is not the first. Prints a line for each: pid= tid= comm= count=.
 */
#include <pthread.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#include "workload.h"

static unsigned long n;
static pthread_barrier_t barrier;

static void call_as(const char *comm)
{
	unsigned long i;

	if (comm)
		prctl(PR_SET_NAME, comm);
	for (i = 0; i < n; i++)
		syscall(SYS_getppid);
	workload__say("pid=%d tid=%d comm=%s count=%lu\n", (int)getpid(), (int)syscall(SYS_gettid),
		      comm ? comm : "exe", n);
}

static void exec_self(const char *what)
{
	char num[24];

	snprintf(num, sizeof(num), "%lu", n);
	execl("/proc/self/exe", "family", num, what, (char *)NULL);
	_exit(1);
}

static void *named_by_other(void *arg)
{
	pthread_barrier_wait(&barrier);
	/* Here the first thread gives it its name. */
	pthread_barrier_wait(&barrier);
	call_as((const char *)arg);
	return NULL;
}

/* A child of a thread has that thread's name until it execs. */
static void *forks(void *arg)
{
	(void)arg;
	pid_t pid;

	call_as("fam-forker");
	pid = fork();
	if (!pid) {
		unsigned long i;

		for (i = 0; i < n; i++)
			syscall(SYS_getppid);
		workload__say("pid=%d tid=%d comm=fam-forker count=%lu\n", (int)getpid(),
			      (int)getpid(), n);
		exec_self("execd");
	}
	waitpid(pid, NULL, 0);
	return NULL;
}

/* The thread that calls exec becomes the first of its process. */
static void *execs(void *arg)
{
	(void)arg;
	call_as("fam-execer");
	exec_self("execd");
	return NULL;
}

static void run_threads(void)
{
	pthread_t named, forker;

	pthread_barrier_init(&barrier, NULL, 2);
	pthread_create(&named, NULL, named_by_other, "fam-named");
	pthread_barrier_wait(&barrier);
	pthread_setname_np(named, "fam-named");
	pthread_barrier_wait(&barrier);
	pthread_join(named, NULL);
	pthread_create(&forker, NULL, forks, NULL);
	pthread_join(forker, NULL);
}

int main(int argc, char **argv)
{
	pthread_t execer;
	pid_t pid;

	n = argc > 1 ? workload__count(argv[1]) : 1003;
	if (argc > 2) {
		/* After the exec: the name is the file's, /proc/self/exe. */
		call_as(NULL);
		call_as("fam-late");
		return 0;
	}
	call_as("fam-first");
	run_threads();
	pid = fork();
	if (!pid) {
		pthread_create(&execer, NULL, execs, NULL);
		pthread_join(execer, NULL);
		return 1;
	}
	waitpid(pid, NULL, 0);
	call_as("fam-last");
	return 0;
}
