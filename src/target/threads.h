/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Lists of existing threads, for counters, which are opened for each thread. */
#ifndef BPFPERF_TARGET_THREADS_H
#define BPFPERF_TARGET_THREADS_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct targets;

struct threads {
	pid_t *tids;
	size_t cnt, cap;
	/* the number of threads at the end that come from -t: their children are not counted */
	size_t noinherit_cnt;
};

/*
 * Appends the threads of -p and those of -t, each once. Processes that have ended are omitted.
 * Returns 0 or -ENOMEM.
 */
int threads__add_targets(struct threads *list, const struct targets *targets);
/*
 * Appends all threads of the machine; with `uid`, only those of that user's processes. Threads of
 * process `but` are omitted.
 */
int threads__add_all(struct threads *list, const uid_t *uid, pid_t but);
int threads__add(struct threads *list, pid_t tid);
/* Returns the process of a thread; the thread's own id if its process is not known. */
pid_t threads__process_of(pid_t tid);
/* Appends to pids the processes of these threads, each once. Returns 0 or -ENOMEM. */
int threads__processes(const struct threads *list, struct threads *pids);
void threads__free(struct threads *list);

/* Returns "comm-tid", the label of stat --per-thread; the caller frees it. NULL: ENOMEM. */
char *threads__label(pid_t tid);

/*
 * Reads processor time in ns: of a process with the children it has waited for, or of one thread
 * alone. The resolution is cpu_times__unit_ns(). Returns 0 or -errno.
 */
int threads__process_times(pid_t pid, uint64_t *user_ns, uint64_t *system_ns);
int threads__thread_times(pid_t tid, uint64_t *user_ns, uint64_t *system_ns);

#endif
