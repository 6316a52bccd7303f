/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Samples of sched:sched_switch and sched:sched_waking → the timeline of `why`: what the programs
 * of bpf/offcpu.bpf.c do for live records.
 */
#ifndef BPFPERF_RUN_WHY_SWITCHES_H
#define BPFPERF_RUN_WHY_SWITCHES_H

#include "decode/sample.h"
#include "why/timeline.h"

struct machine;
struct why_leaver;
struct why_turns;

struct why_switches {
	struct why_timeline *tl; /* the two pointers are not owned */
	struct machine *machine;
	struct u64map by_tid; /* thread → index in at */
	struct why_leaver *at; /* threads that have left a CPU once */
	size_t cnt, cap;
	struct why_turns *cpus; /* by CPU: the tasks that it has run last */
	size_t cpu_cnt;
};

void why_switches__init(struct why_switches *w, struct why_timeline *tl, struct machine *machine);
void why_switches__free(struct why_switches *w);
/* Takes a sample of any event; those of a clock or counter tell where threads ran. 0 or -ENOMEM. */
int why_switches__add(struct why_switches *w, const struct sample *s);
/* The thread of a sample. */
uint32_t why_switches__thread(struct why_switches *w, int32_t tid, int32_t pid);
/* Threads that have not come back were away up to the timeline's end. */
void why_switches__finish(struct why_switches *w);

#endif
