/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* What the files of a stack session share: stack_session.c, stack_attach.c, stack_missed.c. */
#ifndef BPFPERF_SESSION_STACK_SESSION_PRIV_H
#define BPFPERF_SESSION_STACK_SESSION_PRIV_H

#include <linux/types.h>

#include "session/instances.h"
#include "session/stack_session.h"
#include "perf/lost_ticks.h"
#include "session/detach_helper.h"
#include "session/task_filter.h"

struct bpf_link;
struct stack_bpf;

/* A perf event on one CPU. */
struct opened {
	int fd;
	const struct event *event;
};

struct stack_session {
	struct stack_config cfg;
	struct task_filter task_filter;
	struct stack_bpf *skel;
	/* A program per event; of each event one of them is used. */
	struct instances samplers, tracers;
	struct opened *opened;
	size_t opened_cnt;
	struct ticking_event *ticking; /* of each that is opened */
	struct lost_ticks ticks; /* before deactivate, those at activate */
	struct detach_helper detach_helper;
	struct unwinder *unwinder;
	struct bpf_link *links[2]; /* of sched_switch and sched_waking */
	/* By event, then sched_switch's; before deactivate, the count at activate. */
	uint64_t *missed;
};

/* Is any of the events a tracepoint (or: none)? */
bool stack_attach__has_kind(const struct stack_session *s, bool tracepoint);
/* A program for each event, and what that of a tracepoint must know. 0 or -errno. */
int stack_attach__prepare(struct stack_session *s);

/* What the kernel skips, and ticks that bring no sample, are counted from here … */
void stack_missed__begin(struct stack_session *s);
/* … to here. */
void stack_missed__end(struct stack_session *s);

#endif
