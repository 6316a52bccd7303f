// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * threads [M [N [SYSCALL]]]: M threads, named "worker-I", each make N system calls at the same
 * time.
 */
#include <pthread.h>
#include <sys/prctl.h>

#include "workload.h"

struct worker {
	pthread_t thread;
	pthread_barrier_t *start;
	const struct workload_syscall *sc;
	unsigned long n;
	unsigned int idx;
	int tid;
};

static void *worker__run(void *arg)
{
	struct worker *w = arg;
	char name[16];

	snprintf(name, sizeof(name), "worker-%u", w->idx);
	prctl(PR_SET_NAME, name);
	w->tid = (int)syscall(SYS_gettid);
	pthread_barrier_wait(w->start);
	workload__call(w->sc, w->n);
	return NULL;
}

int main(int argc, char **argv)
{
	unsigned long m = argc > 1 ? workload__count(argv[1]) : 5, i;
	unsigned long n = argc > 2 ? workload__count(argv[2]) : 10007;
	const struct workload_syscall *sc = workload__syscall(argc > 3 ? argv[3] : "getppid");
	struct worker *workers = calloc(m ? m : 1, sizeof(*workers));
	int tgid = (int)syscall(SYS_gettid);
	pthread_barrier_t start;

	if (!workers || !m || pthread_barrier_init(&start, NULL, m))
		return 1;
	for (i = 0; i < m; i++) {
		workers[i] = (struct worker){ .start = &start, .sc = sc, .n = n, .idx = i };
		if (pthread_create(&workers[i].thread, NULL, worker__run, &workers[i]))
			return 1;
	}
	for (i = 0; i < m; i++) {
		pthread_join(workers[i].thread, NULL);
		workload__say("pid=%d tid=%d comm=worker-%lu syscall=%s nr=%ld count=%lu\n", tgid,
			      workers[i].tid, i, sc->name, sc->nr, n);
	}
	free(workers);
	return 0;
}
