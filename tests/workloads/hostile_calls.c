// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * hostile_calls pointers | names | killed N | exec: system calls whose memory, names or threads are
 * not what a tracer expects.
 *
 *   pointers  many calls, each with each pointer that leads nowhere, or to the end of a page
 *   names     paths of control characters, of the greatest length, and longer
 *   killed N  N threads wait inside a call when the process ends
 *   exec      a thread, not the first one, executes /bin/true
 *
 * pointers and names print "pid=P calls=N".
 */
#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <sched.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/prctl.h>

#include "workload.h"

#define PAGE 4096
/* Stands for the pointer that is tried. */
#define P INTPTR_MIN

/* Calls that change nothing, whatever the pointer leads to. */
static const struct {
	long nr, args[6];
} calls[] = {
	{ SYS_openat, { -100, P, 0, 0 } },
	{ SYS_newfstatat, { -100, P, P, 0 } },
	{ SYS_statx, { -100, P, 0, 0x7ff, P } },
	{ SYS_readlinkat, { -100, P, P, 16 } },
	{ SYS_faccessat, { -100, P, 4 } },
	{ SYS_unlinkat, { -1, P, 0 } },
	{ SYS_execve, { P, P, P } },
	{ SYS_statfs, { P, P } },
	{ SYS_chdir, { P } },
	{ SYS_mount, { P, P, P, 0, P } },
	{ SYS_getxattr, { P, P, P, 16 } },
	{ SYS_read, { -1, P, 64 } },
	{ SYS_write, { -1, P, 64 } },
	{ SYS_readv, { -1, P, 3 } },
	{ SYS_writev, { -1, P, 3 } },
	{ SYS_fstat, { -1, P } },
	{ SYS_getdents64, { -1, P, 64 } },
	{ SYS_sendto, { -1, P, 32, 0, P, 16 } },
	{ SYS_recvfrom, { -1, P, 32, 0, P, P } },
	{ SYS_sendmsg, { -1, P, 0 } },
	{ SYS_recvmsg, { -1, P, 0 } },
	{ SYS_connect, { -1, P, 16 } },
	{ SYS_bind, { -1, P, 110 } },
	{ SYS_getsockname, { -1, P, P } },
	{ SYS_setsockopt, { -1, 1, 2, P, 4 } },
	{ SYS_epoll_ctl, { -1, 1, 0, P } },
	{ SYS_ioctl, { -1, 0x5401, P } },
	{ SYS_fcntl, { -1, 6, P } },
	{ SYS_nanosleep, { P, P } },
	{ SYS_clock_gettime, { 1, P } },
	{ SYS_clock_getres, { 1, P } },
	{ SYS_gettimeofday, { P, P } },
	{ SYS_rt_sigprocmask, { 0, 0, P, 8 } },
	{ SYS_rt_sigpending, { P, 8 } },
	{ SYS_rt_sigaction, { 10, 0, P, 8 } },
	{ SYS_sigaltstack, { 0, P } },
	{ SYS_prlimit64, { 0, 7, 0, P } },
	{ SYS_getrusage, { 0, P } },
	{ SYS_uname, { P } },
	{ SYS_sysinfo, { P } },
	{ SYS_times, { P } },
	{ SYS_getcwd, { P, 64 } },
	{ SYS_getgroups, { 64, P } },
	{ SYS_sched_getparam, { 0, P } },
	{ SYS_sched_getaffinity, { 0, 128, P } },
	{ SYS_capget, { P, P } },
	{ SYS_prctl, { PR_GET_NAME, P } },
	{ SYS_clone3, { P, 88 } },
	{ SYS_futex, { P, 1, 1, 0, 0, 0 } },
	{ SYS_getrandom, { P, 8, 1 } },
	{ SYS_pipe2, { 1, 0 } },
	{ SYS_ppoll, { P, 3, 0, 0, 8 } },
};

static unsigned long call_cnt;

static long call(long nr, const long *a)
{
	call_cnt++;
	return syscall(nr, a[0], a[1], a[2], a[3], a[4], a[5]);
}

static void try_pointers(void)
{
	char *pages =
		mmap(NULL, 2 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	const long last = (long)pages + PAGE;
	const long pointers[] = {
		0,
		1,
		-1,
		-PAGE,
		(long)0x0000800000000000,
		(long)0xffffffff81000000,
		(long)0x7fffffffffff,
		/* Pages that cannot be read, and the last bytes before. */
		last,
		last - 1,
		last - 3,
		last - 8,
		last - 9,
		last - 17,
	};
	size_t i, k, n;

	if (pages == MAP_FAILED || mprotect(pages + PAGE, PAGE, PROT_NONE))
		exit(1);
	for (i = 0; i < sizeof(calls) / sizeof(*calls); i++)
		for (k = 0; k < sizeof(pointers) / sizeof(*pointers); k++) {
			long args[6];

			memset(pages, 'a', PAGE);
			for (n = 0; n < 6; n++)
				args[n] = calls[i].args[n] == P ? pointers[k] : calls[i].args[n];
			call(calls[i].nr, args);
		}
}

static void try_names(void)
{
	char text[2 * PATH_MAX];
	long args[6] = { (long)text, 0 };
	int c;

	for (c = 1; c < 256; c++) {
		snprintf(text, sizeof(text), "/no/such/%c[2J\n%c", c, c);
		call(SYS_chdir, args);
	}
	for (c = 0; c < 17; c++) {
		/* From 8 bytes below the longest path to 8 above. */
		memset(text, 'x', sizeof(text));
		text[PATH_MAX - 1 - 8 + c] = '\0';
		call(SYS_chdir, args);
	}
}

static pthread_barrier_t ready;
static int pipe_fds[2];

static void *wait_in_call(void *arg)
{
	char byte;

	(void)arg;
	pthread_barrier_wait(&ready);
	if (read(pipe_fds[0], &byte, 1) < 0)
		exit(1);
	return NULL;
}

/* True if a thread of this process waits in read(2). */
static bool is_reading(int tid)
{
	char path[64], text[32] = "";
	int fd;

	snprintf(path, sizeof(path), "/proc/self/task/%d/syscall", tid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0 || read(fd, text, sizeof(text) - 1) < 0)
		exit(1);
	close(fd);
	return atoi(text) == SYS_read && text[0] != 'r';
}

static void end_with_threads(unsigned long cnt)
{
	int first = getpid(), tid;
	unsigned long i;

	pthread_barrier_init(&ready, NULL, (unsigned int)cnt + 1);
	if (pipe(pipe_fds))
		exit(1);
	for (i = 0; i < cnt; i++) {
		pthread_t thread;

		if (pthread_create(&thread, NULL, wait_in_call, NULL))
			exit(1);
	}
	pthread_barrier_wait(&ready);
	/* Ids of threads that were made in a row; others of the machine may come between. */
	for (tid = first + 1, i = 0; i < cnt && tid < first + 100000; tid++) {
		char path[64];

		snprintf(path, sizeof(path), "/proc/self/task/%d", tid);
		if (access(path, F_OK))
			continue;
		while (!is_reading(tid))
			sched_yield();
		i++;
	}
	_exit(i == cnt ? 0 : 1);
}

static void *run_true(void *arg)
{
	(void)arg;
	execl("/bin/true", "true", (char *)NULL);
	exit(1);
}

static void exec_in_thread(void)
{
	pthread_t thread;

	if (pthread_create(&thread, NULL, run_true, NULL) || pthread_join(thread, NULL))
		exit(1);
}

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "";

	if (!strcmp(what, "pointers"))
		try_pointers();
	else if (!strcmp(what, "names"))
		try_names();
	else if (!strcmp(what, "killed") && argc > 2)
		end_with_threads(workload__count(argv[2]));
	else if (!strcmp(what, "exec"))
		exec_in_thread();
	else
		return 2;
	workload__say("hostile calls=%lu\n", call_cnt);
	return 0;
}
