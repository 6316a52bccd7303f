/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Shared by trace_session.c, trace_attach.c and trace_missed.c. */
#ifndef BPFPERF_SESSION_TRACE_SESSION_PRIV_H
#define BPFPERF_SESSION_TRACE_SESSION_PRIV_H

#include <linux/types.h>

#include "session/instances.h"
#include "session/patch_code.h"
#include "session/trace_session.h"
#include "session/detach_helper.h"
#include "session/task_filter.h"
#include "session/tp_witness.h"
#include "session/trace_probes.h"

struct trace_bpf;
struct bpf_link;

struct trace_session {
	struct trace_config cfg;
	struct task_filter task_filter;
	struct trace_bpf *skel;
	struct event **classic; /* events of the classic path, by attach cookie */
	size_t classic_cnt, attached_cnt;
	struct detach_attachment *atts; /* those of `classic`, then those of system calls */
	size_t syscall_cnt; /* events served by the programs of system calls */
	size_t syscall_att_cnt; /* attachments of these programs to classic tracepoints */
	size_t unlocked_cnt; /* events with raw programs that can be preempted on some kernels */
	bool only_locked; /* programs can be preempted here: those events take the classic path */
	bool *is_classic; /* by event */
	struct patch_tables tables;
	struct perf_counters *counters; /* NULL: none */
	struct instances instances; /* one program per event, without cookies */
	struct detach_helper detach_helper;
	struct tp_witness witness; /* of `classic` */
	struct trace_probes probes;
	struct unwinder *unwinder;
	struct bpf_link *user_data; /* NULL: none (user_data.h) */
	/* By program: skips while active; before deactivate: the count at activate. */
	uint64_t *missed;
};

/* Before load, once paths are chosen: knobs of the classic program; warns of incomplete records. */
void trace_attach__set_knobs(struct trace_session *s);
/*
 * Describes the events to the classic program, and loads one instance per event if needed. Returns
 * 0 or -errno.
 */
int trace_attach__prepare(struct trace_session *s);
/* Attaches the programs of system calls that belong on classic tracepoints. Returns 0 or -errno. */
int trace_attach__place_syscalls(struct trace_session *s, bool preemptible);

/* Begins to count runs that the kernel skips … */
void trace_missed__begin(struct trace_session *s);
/* … and ends it. */
void trace_missed__end(struct trace_session *s);

#endif
