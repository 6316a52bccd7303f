// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * fork_tree [K [N [SYSCALL]]]: K children; each runs this program anew, makes
 * N system calls, and has one child of its own that makes N more without
 * exec. Prints "pid= ppid= depth= syscall= nr= count=" for each process, the
 * root with count=0.
 */
#include <errno.h>
#include <sys/wait.h>

#include "workload.h"

static void say(const struct workload_syscall *sc, pid_t parent, int depth, unsigned long n)
{
	workload__say("pid=%d ppid=%d depth=%d syscall=%s nr=%ld count=%lu\n",
		      (int)syscall(SYS_gettid), (int)parent, depth, sc->name, sc->nr, n);
}

/* Waits for all children: 0 when each ended well. */
static int wait_all(void)
{
	int status, bad = 0;

	for (;;) {
		if (wait(&status) < 0) {
			if (errno == EINTR)
				continue;
			return bad;
		}
		if (!WIFEXITED(status) || WEXITSTATUS(status))
			bad = 1;
	}
}

static int leaf(unsigned long n, const struct workload_syscall *sc, pid_t parent)
{
	pid_t self = (pid_t)syscall(SYS_gettid), pid = fork();

	if (pid < 0)
		return 1;
	if (!pid) {
		workload__call(sc, n);
		say(sc, self, 2, n);
		_exit(0);
	}
	workload__call(sc, n);
	say(sc, parent, 1, n);
	return wait_all();
}

int main(int argc, char **argv)
{
	unsigned long kids, n, i;
	const struct workload_syscall *sc;
	char parent[16];

	if (argc == 5 && !strcmp(argv[1], "leaf"))
		return leaf(workload__count(argv[2]), workload__syscall(argv[3]), atoi(argv[4]));

	kids = argc > 1 ? workload__count(argv[1]) : 7;
	n = argc > 2 ? workload__count(argv[2]) : 1003;
	sc = workload__syscall(argc > 3 ? argv[3] : "getppid");
	snprintf(parent, sizeof(parent), "%d", (int)syscall(SYS_gettid));
	for (i = 0; i < kids; i++) {
		char cnt[24];
		pid_t pid = fork();

		if (pid < 0)
			return 1;
		if (pid)
			continue;
		snprintf(cnt, sizeof(cnt), "%lu", n);
		execl("/proc/self/exe", argv[0], "leaf", cnt, sc->name, parent, (char *)NULL);
		_exit(127);
	}
	say(sc, 0, 0, 0);
	return wait_all();
}
