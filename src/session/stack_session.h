/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * A BPF program at each overflow of sampling events on every CPU of the
 * target, and at tracepoints: open → load → attach → activate → deactivate → free. Between load
 * and attach, the caller opens rings on rings_fd.
 */
#ifndef BPFPERF_SESSION_STACK_SESSION_H
#define BPFPERF_SESSION_STACK_SESSION_H

#include <stdbool.h>
#include <stdint.h>

#include "event/event.h"
#include "perf/perf_fd.h"
#include "target/targets.h"
#include "session/unwinder.h"

struct cpus;
struct unwinder;
struct wire_offcpu_entry;

struct stack_session;

struct stack_config {
	const struct event_list *events; /* may be none; outlives the session, as targets do */
	/*
	 * How, for all of them; nothing said: tracepoints at each one, the others 99 times a
	 * second and CPU.
	 */
	uint64_t default_hz; /* where sampling does not say; 0: 99 */
	struct perf_sampling sampling;
	const struct targets *targets;
	bool by_task; /* targets__by_task() */
	pid_t cmd_pid; /* CMD's process, to be watched from its exec on; 0: none */
	size_t ring_sz; /* bytes of each ring that will be opened; 0: large */
	bool kernel, user; /* which stacks to take */
	/* Time off the CPU too, of absences within min and max (ns; max 0: any); with those who woke. */
	bool off_cpu, wakers;
	uint64_t off_min_ns, off_max_ns;
	uint32_t max_depth; /* addresses of each at most, 1..STACK_MAX_DEPTH */
	uint32_t user_depth; /* the same of user stacks that are not taken by the kernel */
	enum unwind_mode unwind; /* how user stacks are taken */
};

/* wire.h's WIRE_STACK_MAX */
#define STACK_MAX_DEPTH 512
/* The default: that of the kernel's kernel.perf_event_max_stack. */
#define STACK_DEFAULT_DEPTH 127

/* NULL after one sentence. */
struct stack_session *stack_session__open(const struct stack_config *cfg);
/* Verifies and loads the programs. 0 or -errno (said, with the remedy). */
int stack_session__load(struct stack_session *s);
/*
 * Opens the events on each of the CPUs (one that went offline is left out). ring_fds: perf events
 * with rings, by position in cpus, that the kernel tells of throttling in; NULL: nowhere. 0 or
 * -errno (said).
 */
int stack_session__attach(struct stack_session *s, const int *cpus, const int *ring_fds,
			  size_t cpu_cnt);
/* How an event is sampled: what stack_config says, or the default. */
struct perf_sampling stack_session__sampling(const struct stack_config *cfg,
					     const struct event *ev);
/* Samples leave the kernel from here on: CLOCK_MONOTONIC, ns … */
uint64_t stack_session__activate(struct stack_session *s);
/* … to here: when it returns, no program is still sending. */
uint64_t stack_session__deactivate(struct stack_session *s);
/*
 * After deactivate: each(ctx, tid, away) for each thread that has not come back (of wire.h). 0, or what
 * each returned, or -errno.
 */
int stack_session__away(const struct stack_session *s,
			int (*each)(void *ctx, uint32_t tid, const struct wire_offcpu_entry *away),
			void *ctx);
/*
 * After deactivate: each(ctx, event, cnt) for each event of which the kernel skipped some, since a program
 * was at work on that CPU already. NULL: of time off the CPU. Samples of perf events it does not tell.
 */
void stack_session__missed(const struct stack_session *s,
			   void (*each)(void *ctx, const struct event *ev, uint64_t cnt),
			   void *ctx);
/* Absences that are missing: more threads were away at once than there is room for. */
uint64_t stack_session__away_refused(const struct stack_session *s);
/* After deactivate: how many ticks of busy CPUs' clocks brought no sample, of ticks, while it was active. */
uint64_t stack_session__unseen(const struct stack_session *s, uint64_t *ticks);
void stack_session__free(struct stack_session *s);

/* For the source: the perf-event array, what is known of each CPU, the program that sends a batch. */
int stack_session__rings_fd(const struct stack_session *s);
/* The unwinder, which makes tables for walks of user stacks; NULL where the kernel walks them. */
struct unwinder *stack_session__unwinder(const struct stack_session *s);
const struct cpus *stack_session__cpus(const struct stack_session *s);
int stack_session__flush_fd(const struct stack_session *s);

#endif
