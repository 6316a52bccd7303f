/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Who runs on each CPU, as slices: from sched_switch records, and from the
 * fact that a thread that makes a record is running where it makes it.
 */
#ifndef BPFPERF_SINK_CPU_TRACKS_H
#define BPFPERF_SINK_CPU_TRACKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "decode/sample.h"
#include "sink/trace_event.h"

struct cpu_track {
	bool is_named;
	bool is_known; /* who runs here; tid 0: nobody */
	int32_t tid;
	char comm[16]; /* its latest name: an exec in the midst of a slice is what most of it is */
	uint64_t since_ns, last_ns;
	/* Some records of a switch's own thread come after it, before the CPU has left that thread. */
	int32_t left_tid;
	uint64_t left_ns;
};

struct cpu_tracks {
	struct trace_event_writer *writer;
	struct cpu_track *cpus; /* by CPU */
	size_t cpu_cnt;
	bool tasks_filtered; /* only chosen threads' records are there: who comes after one is not known */
	bool has_gaps; /* between dumps: nobody knows who ran before the first record */
	uint64_t start_ns; /* since when all switches are there */
	/* Fields of sched:sched_switch; NULL: not read yet. */
	const struct tp_field *prev_state, *next_pid, *next_comm;
};

/* A record, before anything else is written for it. ts maps its time to the track's clock. */
int cpu_tracks__record(struct cpu_tracks *t, const struct sample *s, uint64_t ts_ns);
/* A record of sched:sched_switch, after cpu_tracks__record(). */
void cpu_tracks__switch(struct cpu_tracks *t, const struct sample *s, uint64_t ts_ns);
/* Records of this CPU are missing: nobody knows who runs there. The track of cpu gets its name. */
int cpu_tracks__lost(struct cpu_tracks *t, uint32_t cpu, uint64_t ts_ns);
/* Ends all slices. */
void cpu_tracks__end(struct cpu_tracks *t, uint64_t ts_ns);
void cpu_tracks__free(struct cpu_tracks *t);

#endif
