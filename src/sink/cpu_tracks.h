/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * The thread that runs on each CPU, as slices: derived from sched_switch records, and from other
 * records, since their thread is running on their CPU.
 */
#ifndef BPFPERF_SINK_CPU_TRACKS_H
#define BPFPERF_SINK_CPU_TRACKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "decode/sample.h"
#include "sink/trace_event.h"

/* Recordings may be damaged, and name any number: higher CPUs have no track. */
#define CPU_TRACKS_MAX 65536

struct cpu_track {
	bool is_named;
	bool is_known; /* the running thread is known; tid 0: the CPU is idle */
	int32_t tid;
	/* its latest name: after an exec within a slice, most of the slice ran under that name */
	char comm[16];
	uint64_t since_ns, last_ns;
	/*
	 * Some records of the thread that is switched out follow the switch record, as the CPU has
	 * not left the thread yet.
	 */
	int32_t left_tid;
	uint64_t left_ns;
};

struct cpu_tracks {
	struct trace_event_writer *writer;
	struct cpu_track *cpus; /* indexed by CPU */
	size_t cpu_cnt;
	/* only records of chosen tasks are present, so the next thread after one is unknown */
	bool tasks_filtered;
	/* between dumps records are missing: the thread before the first record is unknown */
	bool has_gaps;
	uint64_t start_ns; /* time from which on all switches are present */
	/* Fields of sched:sched_switch; NULL: not read yet. */
	const struct tp_field *prev_state, *next_pid, *next_comm;
};

/*
 * Processes a record before anything else is written for it. ts maps its time to the track's clock.
 * For all functions the CPU is below CPU_TRACKS_MAX. 0 or -ENOMEM.
 */
int cpu_tracks__record(struct cpu_tracks *t, const struct sample *s, uint64_t ts_ns);
/* Processes a record of sched:sched_switch, after cpu_tracks__record(). */
void cpu_tracks__switch(struct cpu_tracks *t, const struct sample *s, uint64_t ts_ns);
/* Records of this CPU are missing, so its running thread is unknown. Names the track of cpu. */
int cpu_tracks__lost(struct cpu_tracks *t, uint32_t cpu, uint64_t ts_ns);
/* Ends all slices. */
void cpu_tracks__end(struct cpu_tracks *t, uint64_t ts_ns);
void cpu_tracks__free(struct cpu_tracks *t);

#endif
