/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * A number for each thread, since a counter's page means something to the thread it counts
 * alone: another would read the PMU of another CPU. A child of fork(2) is another thread.
 */
#ifndef BPFPERF_SELFMON_OWNER_H
#define BPFPERF_SELFMON_OWNER_H

#include <stdbool.h>
#include <stdint.h>

/* initial-exec: one load, and nothing that could allocate. */
extern __thread uint64_t owner_id __attribute__((tls_model("initial-exec"), visibility("hidden")));

/* This thread's number; 0 before it has taken one. */
static inline uint64_t owner__self(void)
{
	return owner_id;
}

/* Takes one, if there is none yet. Never 0. */
uint64_t owner__take(void) __attribute__((visibility("hidden")));

/*
 * Is it a thread's of this process, not of the one that this was forked from? The kernel leaves
 * that one's pages out.
 */
bool owner__is_here(uint64_t owner) __attribute__((visibility("hidden")));

#endif
