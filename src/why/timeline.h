/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * The states of threads over time: the times that each was off the CPU, and samples of when it was
 * on one. Times are CLOCK_MONOTONIC, ns. The newest WHY_ABSENCES_MAX absences are kept one by one;
 * the sums are of all.
 */
#ifndef BPFPERF_WHY_TIMELINE_H
#define BPFPERF_WHY_TIMELINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "util/u64map.h"
#include "why/inversion.h"
#include "why/stacks.h"
#include "why/waits.h"

struct why_thread {
	int32_t tid, pid;
	char comm[16];
	const char *name; /* set by why_names__get() */
	bool is_target; /* it has states of its own; else it is only known by its name */
	bool was_here; /* it was there when the measurement began */
	uint64_t begin_ns, end_ns; /* end UINT64_MAX: it has not ended */
	uint32_t parent; /* the thread that started it; WHY_NONE: unknown */
	uint32_t last_absence, last_sample; /* the newest of each; WHY_NONE: none */
	uint64_t seen_ns; /* end of the last absence */
	/* The kernel's counts when it left the CPU last; WHY_NO_TIME: unknown */
	uint64_t cpu_ns, ready_ns;
	uint64_t request_ns; /* when the request that it works on began; 0: none */
	uint8_t blocked; /* enum why_kind of its last wait; 0: none yet */
	uint64_t ns[WHY_KINDS]; /* time in each state, but on a CPU; the time of interrupts */
	uint64_t absence_cnt;
	uint64_t longest_ns; /* of its waits */
	/* Page faults: the kernel's count, if it is known, and those since it was looked at. */
	uint64_t faults_then, fault_cnt;
	uint32_t kept_absences, kept_samples;
};

/* A thread was on a CPU. */
struct why_sample {
	uint64_t time_ns;
	uint32_t thread, stack;
	uint32_t prev; /* the sample of the thread before; WHY_NONE */
};

#define WHY_HARD_IRQ 0xff
#define WHY_NO_TIME UINT64_MAX
#define WHY_SOME_THREAD (UINT32_MAX - 1)

/* Each has up to three states: on the CPU before, blocked, runnable. */
#define WHY_ABSENCES_MAX (1u << 19)
#define WHY_SAMPLES_MAX (1u << 18)
#define WHY_CHUNK 4096
/* Threads that start beyond are not followed, and counted. */
#define WHY_THREADS_MAX (1u << 17)
/* Requests beyond are counted as not paired. */
#define WHY_REQUESTS_MAX (1u << 20)

/* A span that is asked for: from --from to --to on one thread. */
struct why_request {
	uint64_t begin_ns, end_ns;
	uint32_t thread;
};

struct why_timeline {
	struct why_stacks stacks;
	struct u64map patterns; /* of names that end with a number (why/names.h) */
	uint64_t begin_ns, end_ns;
	struct why_thread *threads;
	size_t thread_cnt, thread_cap;
	struct u64map by_tid; /* the thread that has the id now */
	struct why_absence *absences[WHY_ABSENCES_MAX / WHY_CHUNK];
	uint32_t absence_cnt; /* absences so far: index of the next one */
	struct why_waits waits; /* sums of them all … */
	struct why_inversion inversion; /* … and what some of them tell together */
	struct why_sample *samples;
	uint32_t sample_cnt;
	uint32_t sample_cap;
	struct why_request *requests;
	size_t request_cnt, request_cap;
	uint64_t unpaired_cnt; /* ends without a beginning, and beginnings without an end */
	uint64_t out_of_memory; /* absences that are missing */
	uint64_t thread_refused; /* threads that are missing */
};

void why_timeline__init(struct why_timeline *tl, struct sym *sym);
void why_timeline__free(struct why_timeline *tl);

/* The thread that has the id at this time, or a new one. WHY_NONE: there is no room. */
uint32_t why_timeline__thread(struct why_timeline *tl, int32_t tid, int32_t pid);
void why_timeline__name(struct why_timeline *tl, uint32_t thread, const char *comm);
/* A thread was started by another; or, with parent_tid 0, begins to be looked at. */
void why_timeline__start(struct why_timeline *tl, int32_t tid, int32_t pid, int32_t parent_tid,
			 uint64_t time_ns);
void why_timeline__exit(struct why_timeline *tl, int32_t tid, uint64_t time_ns);
/* a->prev and a->first are set here; a->thread and its members are those of this timeline. */
void why_timeline__add(struct why_timeline *tl, const struct why_absence *a);
/* The thread's page faults so far. */
void why_timeline__count_faults(struct why_timeline *tl, uint32_t thread, uint64_t faults);
void why_timeline__add_sample(struct why_timeline *tl, uint32_t thread, uint64_t time_ns,
			      uint32_t stack);
/* A request begins, or ends, on a thread. */
void why_timeline__begin_request(struct why_timeline *tl, uint32_t thread, uint64_t time_ns);
void why_timeline__end_request(struct why_timeline *tl, uint32_t thread, uint64_t time_ns);
/* All threads that have not ended are looked at until then. */
void why_timeline__finish(struct why_timeline *tl, uint64_t end_ns);

/* The absence of an index; NULL: WHY_NONE, or no longer kept. */
static inline const struct why_absence *why_timeline__absence(const struct why_timeline *tl,
							      uint32_t idx)
{
	if (idx == WHY_NONE || tl->absence_cnt - idx > WHY_ABSENCES_MAX)
		return NULL;
	return &tl->absences[idx % WHY_ABSENCES_MAX / WHY_CHUNK][idx % WHY_CHUNK];
}

static inline const struct why_sample *why_timeline__sample(const struct why_timeline *tl,
							    uint32_t idx)
{
	if (idx == WHY_NONE || tl->sample_cnt - idx > WHY_SAMPLES_MAX)
		return NULL;
	return &tl->samples[idx % WHY_SAMPLES_MAX];
}

/* Time that the thread was looked at. */
uint64_t why_thread__wall_ns(const struct why_timeline *tl, const struct why_thread *t);
/* The time on a CPU: what is left of the wall-clock time. */
uint64_t why_thread__on_cpu_ns(const struct why_timeline *tl, const struct why_thread *t);

#endif
