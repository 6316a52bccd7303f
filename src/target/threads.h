/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Lists of threads that are there now, for counters, which are opened for each. */
#ifndef BPFPERF_TARGET_THREADS_H
#define BPFPERF_TARGET_THREADS_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct targets;

struct threads {
	pid_t *tids;
	size_t cnt, cap;
	size_t noinherit_cnt; /* the last so many are of -t: what they start is not meant */
};

/*
 * Appends the threads of -p and those of -t, each once. 0 or -ENOMEM; processes that have ended meanwhile are left
 * out.
 */
int threads__add_targets(struct threads *list, const struct targets *targets);
/* Appends all threads of the machine; with `uid`, only those of processes of that user. Of process `but` none. */
int threads__add_all(struct threads *list, const uid_t *uid, pid_t but);
int threads__add(struct threads *list, pid_t tid);
/* The process that it is a thread of; itself where that is not known. */
pid_t threads__process_of(pid_t tid);
/* Appends to pids the processes of these threads, each once. 0 or -ENOMEM. */
int threads__processes(const struct threads *list, struct threads *pids);
void threads__free(struct threads *list);

/* "comm-tid", as stat --per-thread shows it; caller frees. NULL: ENOMEM. */
char *threads__label(pid_t tid);

/*
 * Processor time in ns: of a process with the children it has waited for, or of one thread alone (in
 * cpu_times__unit_ns()). 0 or -errno.
 */
int threads__process_times(pid_t pid, uint64_t *user_ns, uint64_t *system_ns);
int threads__thread_times(pid_t tid, uint64_t *user_ns, uint64_t *system_ns);

#endif
