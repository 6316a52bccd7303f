// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* syscall_loop [N [SYSCALL]]: exactly N times one system call; prints also what one call took. */
#include <time.h>

#include "workload.h"

static unsigned long long now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * 1000000000ULL + ts.tv_nsec;
}

int main(int argc, char **argv)
{
	unsigned long n = argc > 1 ? workload__count(argv[1]) : 100003;
	const struct workload_syscall *sc = workload__syscall(argc > 2 ? argv[2] : "getppid");
	unsigned long long start_ns = now_ns(), took_ns;

	workload__call(sc, n);
	took_ns = now_ns() - start_ns;
	workload__say("pid=%d syscall=%s nr=%ld count=%lu ns=%llu ns_per_call=%.1f\n",
		      (int)syscall(SYS_gettid), sc->name, sc->nr, n, took_ns,
		      n ? (double)took_ns / n : 0.0);
	return 0;
}
