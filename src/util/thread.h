/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Threads beside the main one. They block all signals, since the main thread waits for signals. */
#ifndef BPFPERF_UTIL_THREAD_H
#define BPFPERF_UTIL_THREAD_H

#include <pthread.h>

/* 0 or -errno of pthread_create(3); the caller joins it. */
int thread__start(pthread_t *thread, void *(*fn)(void *arg), void *arg);

/*
 * Runs fn in each thread of the process: in the calling one before it returns, in the others as
 * soon as they run, as a handler of a signal. fn makes async-signal-safe calls alone. A thread that
 * is started by one in which fn has not run inherits that thread's state; it is run there, too.
 * Later calls replace fn.
 */
void thread__run_in_all(void (*fn)(void));

/*
 * Gives the calling thread the highest priority that a thread of the normal scheduling class can
 * have (nice -20), for work that is short and urgent. Without CAP_SYS_NICE and RLIMIT_NICE the
 * thread keeps its priority. Threads and processes that it starts inherit the priority. Returns the
 * previous nice value, for thread__set_nice().
 */
int thread__make_urgent(void);
void thread__set_nice(int nice);

#endif
