/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Tracepoints that a hand-written program on a raw tracepoint can serve: their record, as the
 * running kernel's tracefs describes it, has a layout that the program can make. Every other
 * tracepoint takes the classic path. Detaching a classic tracepoint costs an RCU grace period
 * (about 75 ms), a raw one about 30 µs.
 */
#ifndef BPFPERF_SESSION_RAW_EVENTS_H
#define BPFPERF_SESSION_RAW_EVENTS_H

#include <stdbool.h>

#include "event/tp_format.h"

struct bpf_program;
struct trace_bpf;

/*
 * Selects the program of `skel` (opened, not loaded) that serves the event: sets its knobs and lets
 * it load. False where there is none for this layout: nothing was changed.
 */
bool raw_events__select(struct trace_bpf *skel, const struct tp_format *fmt);

/*
 * Is the event always hit within the scheduler's locks, with preemption off, so that its program is
 * never preempted on any kernel (see preempt.h)?
 */
bool raw_events__is_locked(const struct tp_format *fmt);

/* The event of a program on a raw tracepoint; false: it is not in the table of raw events. */
bool raw_events__of_program(const struct trace_bpf *skel, const struct bpf_program *prog,
			    const char **sys, const char **name);

/* Are there any hand-written programs for this system's events? */
bool raw_events__covers(const char *sys);

/*
 * Does fmt's record (behind the common fields) have this layout, in the notation of raw_events.c?
 * For tests.
 */
bool raw_events__layout_matches(const struct tp_format *fmt, const char *layout, bool *dynamic);

/* Sets the knobs that depend on no event: CPU → node. */
void raw_events__set_topology(struct trace_bpf *skel);

#endif
