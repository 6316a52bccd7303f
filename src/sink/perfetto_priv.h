/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Shared by the files of --format perfetto: perfetto.c, perfetto_calls.c for system calls, and
 * perfetto_slices.c for the calls of a processor's trace.
 */
#ifndef BPFPERF_SINK_PERFETTO_PRIV_H
#define BPFPERF_SINK_PERFETTO_PRIV_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sink/callstack.h"
#include "sink/cpu_tracks.h"
#include "sink/field_plan.h"
#include "sink/perfetto.h"
#include "sink/plan_heads.h"
#include "sink/trace_event.h"
#include "util/strbuf.h"
#include "util/u64map.h"

struct event;

struct perfetto_thread {
	int32_t pid, tid;
	char comm[16]; /* the name on its track */
	bool in_syscall;
	const char *syscall; /* the call's name, if in_syscall */
	const struct event *end; /* reports the end of the open call */
	struct strbuf args; /* arguments of the open call: ,"args":{… */
	uint64_t since_ns, last_ns; /* begin of the open call; end of the call before it */
	uint32_t depth; /* open slices of calls of a processor's trace */
};

struct perfetto {
	struct perfetto_config cfg;
	struct trace_event_writer writer;
	struct field_plans plans;
	/* ,"name":"…","cat":"…","s":"t","args":{"cpu": — priv: perfetto_calls__end_of() a begin */
	struct plan_heads heads;
	struct cpu_tracks cpus;
	struct perfetto_thread *threads;
	uint32_t thread_cnt;
	size_t thread_cap;
	struct u64map by_tid; /* tid → index into threads */
	/* pid → 0: named after any thread; 1: named after its first thread */
	struct u64map processes;
	struct callstack_printer callstacks;
	bool has_callstacks;
	bool has_switch, has_named_syscalls;
	uint64_t prev_ns, last_ns;
};

/* The notes on a plan that is in use. */
static inline const struct plan_head *perfetto__head(const struct perfetto *p,
						     const struct field_plan *plan)
{
	return &p->heads.by_plan[plan->idx];
}

/* Puts a CPU's number; -1 where it is unknown, as in perf script. */
static inline void perfetto__put_cpu(struct strbuf *out, uint32_t cpu)
{
	if (cpu == UINT32_MAX)
		strbuf__puts(out, "-1");
	else
		strbuf__put_u64(out, cpu);
}

/* Puts ,"stack":[…] into the args; nothing if stacks were not asked for, or none was taken. */
void perfetto__put_callstack(struct perfetto *p, const struct sample *s, struct strbuf *out);

/*
 * Returns the event that reports the end of a call whose begin `begin` reports. NULL if its next
 * record may belong to another call, of which the begin was not recorded.
 */
struct event *perfetto_calls__end_of(const struct sink *sink, const struct event *begin);
/*
 * Puts a call as a slice, or as an instant of its name; false if neither is possible (its begin is
 * missing, or its end never comes).
 */
bool perfetto_calls__put(struct perfetto *p, struct perfetto_thread *th,
			 const struct field_plan *plan, const struct sample *s, uint64_t ts_ns);
/* The end of a thread's open call is unknown: writes an instant. */
void perfetto_calls__abandon(struct perfetto *p, struct perfetto_thread *th);
/* Ends the open call of a thread: a call that has not ended continues until ts_ns. */
void perfetto_calls__end_open(struct sink *sink, struct perfetto_thread *th, uint64_t ts_ns);

/* Is it a branch of a processor's trace? Then its sample needs SAMPLE_NEEDS_IP. */
bool perfetto_slices__is_branch(const struct sample *s);
/* Ends the slices of the functions that a branch leaves, and begins that of a called one. */
void perfetto_slices__put(struct perfetto *p, struct perfetto_thread *th, const struct sample *s,
			  uint64_t ts_ns);
/* Ends all open slices of a thread. */
void perfetto_slices__end(struct perfetto *p, struct perfetto_thread *th, uint64_t ts_ns);

#endif
