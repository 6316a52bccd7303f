// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * durations KIND N [FILE]: N system calls that wait, each timed by the program, and what their
 * durations were: count, sum, max and quantiles in ns, as `latency` is to find them; and how often
 * another task took the CPU from the program, which may be just before or after a call. Where that
 * or an interrupt falls between the program's clock and the call, the program's duration is too
 * long: _low has the quantiles for the case that it was so in these calls and in one of 100.
 *     nanosleep   sleeps of 0.2 to 1.2 ms
 *     pipe        reads of a pipe that a child answers after 0.2 to 1.2 ms
 *     futex       waits for a word that a second thread changes after 0.2 to 1.2 ms
 *     fsync       of FILE, to which a megabyte was written
 */
#include <linux/futex.h>
#include <pthread.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/uio.h>
#include <time.h>

#include "workload.h"

static unsigned long long *took_ns;
static unsigned long cnt, wanted;

static unsigned long long now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * 1000000000ULL + ts.tv_nsec;
}

/* Durations that no power of two and no clock tick is near. */
static long delay_ns(unsigned long i)
{
	return 200003 + (long)(i * 7919 % 1009) * 991;
}

static void spin_ns(long ns)
{
	unsigned long long end = now_ns() + ns;

	while (now_ns() < end)
		;
}

static void note(unsigned long long start)
{
	took_ns[cnt++] = now_ns() - start;
}

static void sleep_often(void)
{
	for (unsigned long i = 0; i < wanted; i++) {
		struct timespec nap = { 0, delay_ns(i) };
		unsigned long long start = now_ns();

		syscall(SYS_nanosleep, &nap, NULL);
		note(start);
	}
}

static void read_answers(void)
{
	int ask[2], answer[2];
	char c = 'x';

	if (pipe(ask) || pipe(answer))
		exit(1);
	if (!fork()) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		for (unsigned long i = 0; read(ask[0], &c, 1) == 1; i++) {
			spin_ns(delay_ns(i));
			if (write(answer[1], &c, 1) != 1)
				_exit(1);
		}
		_exit(0);
	}
	for (unsigned long i = 0; i < wanted; i++) {
		unsigned long long start;

		if (write(ask[1], &c, 1) != 1)
			exit(1);
		start = now_ns();
		if (syscall(SYS_readv, answer[0], &(struct iovec){ &c, 1 }, 1) != 1)
			exit(1);
		note(start);
	}
}

static unsigned int word, ready;

static void *change_word(void *arg)
{
	for (unsigned long i = 0; i < wanted; i++) {
		while (__atomic_load_n(&ready, __ATOMIC_ACQUIRE) != i + 1)
			;
		spin_ns(delay_ns(i));
		__atomic_store_n(&word, i + 1, __ATOMIC_RELEASE);
		syscall(SYS_futex, &word, FUTEX_WAKE | FUTEX_PRIVATE_FLAG, 1, NULL, NULL, 0);
	}
	return arg;
}

static void wait_for_word(void)
{
	pthread_t thread;

	if (pthread_create(&thread, NULL, change_word, NULL))
		exit(1);
	for (unsigned int i = 0; i < wanted; i++) {
		unsigned long long start = now_ns();

		__atomic_store_n(&ready, i + 1, __ATOMIC_RELEASE);
		syscall(SYS_futex, &word, FUTEX_WAIT | FUTEX_PRIVATE_FLAG, i, NULL, NULL, 0);
		note(start);
		while (__atomic_load_n(&word, __ATOMIC_ACQUIRE) != i + 1)
			;
	}
	/* The thread is not joined: that would be one more wait. */
}

static void sync_file(const char *path)
{
	static char page[1 << 20];
	int fd = open(path, O_RDWR | O_CREAT | O_TRUNC, 0600);

	for (unsigned long i = 0; i < wanted; i++) {
		unsigned long long start;

		if (pwrite(fd, page, sizeof(page), 0) != sizeof(page))
			exit(1);
		start = now_ns();
		if (fsync(fd))
			exit(1);
		note(start);
	}
}

static int compare(const void *a, const void *b)
{
	const unsigned long long *x = a, *y = b;

	return *x < *y ? -1 : *x > *y;
}

/* The duration of rank ceil(percent / 100 * cnt), or LOWER ranks below it. */
static unsigned long long quantile(unsigned long percent, unsigned long lower)
{
	unsigned long at = (cnt * percent + 99) / 100 - 1;

	return took_ns[at > lower ? at - lower : 0];
}

static void say_quantiles(const char *suffix, unsigned long lower)
{
	workload__say(" p50%s=%llu p90%s=%llu p99%s=%llu max%s=%llu", suffix, quantile(50, lower),
		      suffix, quantile(90, lower), suffix, quantile(99, lower), suffix,
		      quantile(100, lower));
}

int main(int argc, char **argv)
{
	const char *kind = argc > 2 ? argv[1] : "";
	unsigned long long sum = 0;
	struct rusage usage;

	if (argc < 3)
		return 2;
	wanted = workload__count(argv[2]);
	took_ns = calloc(wanted, sizeof(*took_ns));
	if (!strcmp(kind, "nanosleep"))
		sleep_often();
	else if (!strcmp(kind, "pipe"))
		read_answers();
	else if (!strcmp(kind, "futex"))
		wait_for_word();
	else if (!strcmp(kind, "fsync") && argc > 3)
		sync_file(argv[3]);
	else
		return 2;
	getrusage(RUSAGE_THREAD, &usage);
	qsort(took_ns, cnt, sizeof(*took_ns), compare);
	for (unsigned long i = 0; i < cnt; i++)
		sum += took_ns[i];
	workload__say("tid=%d count=%lu total=%llu preempted=%ld", (int)syscall(SYS_gettid), cnt,
		      sum, usage.ru_nivcsw);
	say_quantiles("", 0);
	say_quantiles("_low", usage.ru_nivcsw + cnt / 100);
	workload__say("\n");
	return 0;
}
