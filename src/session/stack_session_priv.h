/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Shared by stack_session.c, stack_attach.c, stack_before.c and stack_missed.c. */
#ifndef BPFPERF_SESSION_STACK_SESSION_PRIV_H
#define BPFPERF_SESSION_STACK_SESSION_PRIV_H

#include <linux/types.h>

#include "perf/evset.h"
#include "perf/lost_ticks.h"
#include "session/detach_helper.h"
#include "session/instances.h"
#include "session/stack_probes.h"
#include "session/stack_session.h"
#include "session/task_filter.h"

struct bpf_link;
struct stack_bpf;

#define STACK_LINKS 6

struct stack_session {
	struct stack_config cfg;
	struct task_filter task_filter;
	struct stack_bpf *skel;
	/* Per-event programs: an event has one in either of these. */
	struct instances samplers, tracers;
	struct stack_probes probes; /* events that are probes have one program together */
	struct evset set; /* the events; tracepoints are not opened */
	uint64_t *period_ns; /* by event, from lost_ticks__period_ns() */
	struct lost_ticks ticks; /* before deactivate: the ticks at activate */
	struct detach_helper detach_helper;
	struct unwinder *unwinder;
	struct bpf_link *links[STACK_LINKS]; /* of the scheduler's and the interrupts' programs */
	/* By event, then sched_switch's; before deactivate: the counts at activate. */
	uint64_t *missed;
};

/* How an event's samples are taken. */
enum stack_kind {
	STACK_SAMPLED, /* by a perf event, at each overflow */
	STACK_TRACEPOINT,
	STACK_PROBE,
};
enum stack_kind stack_attach__kind(const struct event *ev);
/* Is any of the events of the kind? */
bool stack_attach__has_kind(const struct stack_session *s, enum stack_kind kind);
/*
 * Loads a program for each event, and describes tracepoints to their programs. Returns 0 or -errno.
 */
int stack_attach__prepare(struct stack_session *s);

/* Starts counting records that the kernel skips, and ticks without a sample … */
void stack_missed__begin(struct stack_session *s);
/* … and stops. */
void stack_missed__end(struct stack_session *s);

/* Is there an iterator of threads, and is it wanted? */
bool stack_before__is_possible(const struct stack_session *s);
void stack_before__set_knobs(const struct stack_session *s);
/* Right before deactivate: visits the threads again, to drop those that have come back unseen. */
void stack_before__end(struct stack_session *s);

#endif
