// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * short_lived [N [MS]]: N processes one after the other, each of which spins MS milliseconds of CPU
 * time in spin_briefly() after an exec of this program, and is gone before anyone could look it up.
 */
#include <sys/wait.h>
#include <time.h>

#include "workload.h"

static unsigned long long now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &ts);
	return ts.tv_sec * 1000000000ULL + ts.tv_nsec;
}

static volatile unsigned long spun;

__attribute__((noinline, noclone)) void spin_briefly(unsigned long ms)
{
	unsigned long long end_ns = now_ns() + ms * 1000000ULL;
	int i;

	do
		for (i = 0; i < 20000; i++)
			spun++;
	while (now_ns() < end_ns);
}

int main(int argc, char **argv)
{
	unsigned long n, ms, i;
	char arg[24];

	if (argc == 3 && !strcmp(argv[1], "spin")) {
		spin_briefly(workload__count(argv[2]));
		return 0;
	}
	n = argc > 1 ? workload__count(argv[1]) : 101;
	ms = argc > 2 ? workload__count(argv[2]) : 5;
	snprintf(arg, sizeof(arg), "%lu", ms);
	for (i = 0; i < n; i++) {
		pid_t pid = fork();
		int status;

		if (!pid) {
			execl("/proc/self/exe", argv[0], "spin", arg, (char *)NULL);
			_exit(127);
		}
		if (pid < 0 || waitpid(pid, &status, 0) < 0 || status)
			return 1;
	}
	workload__say("pid=%d children=%lu ms=%lu\n", (int)syscall(SYS_gettid), n, ms);
	return 0;
}
