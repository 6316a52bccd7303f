/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Brief processes: all of their life lies between two drains of the rings, without a sample and a
 * child: their records change nothing that is shown, and most processes of a busy machine are such.
 * Records are read from the rings long before their turn in time order comes. What was read tells,
 * at the turn of a process's first record, whether all its records can be skipped.
 */
#ifndef BPFPERF_MACHINE_BRIEF_H
#define BPFPERF_MACHINE_BRIEF_H

#include <stdbool.h>
#include <stdint.h>

#include "util/u64map.h"

struct life;
struct proc_event;

struct brief {
	struct u64map by_pid; /* process → its life: from its first mark to the turn of its end */
	struct life *lives;
	size_t cnt, cap;
	uint32_t free; /* the first free life; U64MAP_NONE: none */
	uint64_t lost_ns; /* process records were lost up to here */
};

/* Always succeeds. */
void brief__init(struct brief *b);
void brief__free(struct brief *b);

/* A process event was taken off a ring. Without memory, the process is not brief. */
void brief__on_read(struct brief *b, const struct proc_event *ev, uint64_t time_ns);
/* A sample of the process was taken off a ring. */
void brief__on_sample(struct brief *b, int32_t pid);
/*
 * The turn of a process event has come: true if it can be skipped. All records up to horizon_ns
 * must have been read.
 */
bool brief__skips(struct brief *b, const struct proc_event *ev, uint64_t time_ns,
		  uint64_t horizon_ns);

#endif
