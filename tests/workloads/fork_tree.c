// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * fork_tree [K [N [SYSCALL [OVER]]]]: K children; each runs this program anew, makes
 * N system calls, and has one child of its own that makes N more without
 * exec. Prints "pid= ppid= depth= syscall= nr= count=" for each process, the
 * root with count=0. Each that has made its calls takes the name OVER: what the
 * kernel does to end a process may come after its parent was told of its end.
 */
#include <errno.h>
#include <sys/prctl.h>
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

static void work(unsigned long n, const struct workload_syscall *sc, pid_t parent, int depth,
		 const char *over)
{
	workload__call(sc, n);
	say(sc, parent, depth, n);
	if (*over)
		prctl(PR_SET_NAME, over);
}

static int leaf(unsigned long n, const struct workload_syscall *sc, pid_t parent, const char *over)
{
	pid_t self = (pid_t)syscall(SYS_gettid), pid = fork();

	if (pid < 0)
		return 1;
	if (!pid) {
		work(n, sc, self, 2, over);
		_exit(0);
	}
	work(n, sc, parent, 1, over);
	return wait_all();
}

int main(int argc, char **argv)
{
	unsigned long kids, n, i;
	const struct workload_syscall *sc;
	const char *over;
	char parent[16];

	if (argc == 6 && !strcmp(argv[1], "leaf"))
		return leaf(workload__count(argv[2]), workload__syscall(argv[3]), atoi(argv[4]),
			    argv[5]);

	kids = argc > 1 ? workload__count(argv[1]) : 7;
	n = argc > 2 ? workload__count(argv[2]) : 1003;
	sc = workload__syscall(argc > 3 ? argv[3] : "getppid");
	over = argc > 4 ? argv[4] : "";
	snprintf(parent, sizeof(parent), "%d", (int)syscall(SYS_gettid));
	for (i = 0; i < kids; i++) {
		char cnt[24];
		pid_t pid = fork();

		if (pid < 0)
			return 1;
		if (pid)
			continue;
		snprintf(cnt, sizeof(cnt), "%lu", n);
		execl("/proc/self/exe", argv[0], "leaf", cnt, sc->name, parent, over, (char *)NULL);
		_exit(127);
	}
	say(sc, 0, 0, 0);
	return wait_all();
}
