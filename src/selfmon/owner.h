/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * A number for each thread, since a counter's page is meaningful only in the thread that it counts:
 * another thread would read the PMU of another CPU. A child of fork(2), _Fork(3) or clone(2) counts
 * as another thread.
 */
#ifndef BPFPERF_SELFMON_OWNER_H
#define BPFPERF_SELFMON_OWNER_H

#include <stdbool.h>
#include <stdint.h>

/* initial-exec: one load, and no allocation. */
extern __thread uint64_t owner_id __attribute__((tls_model("initial-exec"), visibility("hidden")));

/* 0 in a child that has not yet noticed that it is one: the kernel wipes the page there. */
extern uint32_t *owner_mark __attribute__((visibility("hidden")));

/* Is this the thread of the number? */
static inline bool owner__is_self(uint64_t owner)
{
	return owner == owner_id && __atomic_load_n(owner_mark, __ATOMIC_RELAXED);
}

/* Assigns one, if there is none yet. Never 0. */
uint64_t owner__take(void) __attribute__((visibility("hidden")));

/*
 * True if the number belongs to a thread of this process, not of the process that forked it: the
 * kernel does not copy the parent's pages.
 */
bool owner__is_here(uint64_t owner) __attribute__((visibility("hidden")));

#endif
