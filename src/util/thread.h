/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Threads beside the main one. They block all signals, since the main thread waits for signals. */
#ifndef BPFPERF_UTIL_THREAD_H
#define BPFPERF_UTIL_THREAD_H

#include <pthread.h>

/* 0 or -errno of pthread_create(3); the caller joins it. */
int thread__start(pthread_t *thread, void *(*fn)(void *arg), void *arg);

#endif
