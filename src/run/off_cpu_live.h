/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Threads that are off the CPU while the live view is drawn (stack --top --off-cpu): a record comes
 * when a thread is back only, and a thread that waits for long is one to see.
 */
#ifndef BPFPERF_RUN_OFF_CPU_LIVE_H
#define BPFPERF_RUN_OFF_CPU_LIVE_H

#include <stddef.h>
#include <stdint.h>

#include "util/u64map.h"

struct absence;
struct off_cpu;
struct stack_session;
struct top;

/* The absences at one update of the view. */
struct absences {
	struct absence *at;
	size_t cnt, cap;
	struct u64map by_tid;
	size_t again; /* threads that were met more than once */
};

struct off_cpu_live {
	struct off_cpu *off; /* the three pointers are not owned */
	const struct stack_session *session;
	struct top *top;
	struct absences now, before; /* at the last update, and at the one before */
	uint64_t time_ns;
};

/* Adds the absences that have not ended to the view. 0 or -errno. */
int off_cpu_live__refresh(struct off_cpu_live *live);
/* Called for each record: the thread's absence that began at start_ns has ended. */
void off_cpu_live__ended(struct off_cpu_live *live, uint32_t tid, uint64_t start_ns);
/* A zeroed struct is empty. */
void off_cpu_live__free(struct off_cpu_live *live);

#endif
