/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * BPF programs at each overflow of sampling events on every CPU of the target, and at tracepoints:
 * open → load → attach → activate → deactivate → free. Between load and attach, the caller opens
 * rings on rings_fd.
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
struct wire_before;
struct wire_offcpu_entry;

struct stack_session;

struct stack_config {
	const struct event_list *events; /* may be empty; outlives the session, like the targets */
	/*
	 * Sampling of all events. By default tracepoints are sampled at each hit, other events 99
	 * times a second and CPU.
	 */
	uint64_t default_hz; /* if sampling does not say; 0: 99 */
	struct perf_sampling sampling;
	const struct targets *targets;
	bool by_task; /* targets__by_task() */
	pid_t cmd_pid; /* CMD's process, watched from its exec on; 0: none */
	const char *cmd_path; /* its program; NULL: none */
	size_t ring_sz; /* bytes of each ring that will be opened; 0: large */
	bool kernel, user; /* which stacks are taken */
	/*
	 * Time off the CPU, too: absences from min to max (ns; max 0: any), and the threads that
	 * woke the absent one.
	 */
	bool off_cpu, wakers;
	bool facts; /* with off_cpu: records of it have a struct wire_why (why_wire.h) */
	uint64_t off_min_ns, off_max_ns;
	uint32_t max_depth; /* maximum addresses of each stack, 1..STACK_MAX_DEPTH */
	uint32_t user_depth; /* maximum addresses of user stacks that the kernel does not take */
	enum unwind_mode unwind; /* how user stacks are taken */
	uint32_t omit; /* languages that they do not show: bits by enum interp_language */
	/*
	 * A sample's period is divided by the number of threads of the target that run at that
	 * moment, which makes it wall-clock time. Needs the kernel's BTF, and no off_cpu.
	 */
	bool latency;
};

/* wire.h's WIRE_STACK_MAX */
#define STACK_MAX_DEPTH 512
/* The default of the kernel's sysctl kernel.perf_event_max_stack. */
#define STACK_DEFAULT_DEPTH 127

/* Returns NULL after one sentence. */
struct stack_session *stack_session__open(const struct stack_config *cfg);
/* Verifies and loads the programs. Returns 0 or -errno (logged, with the remedy). */
int stack_session__load(struct stack_session *s);
/*
 * Opens the events on each of the CPUs (offline ones are omitted). ring_fds: perf events with
 * rings, by position in cpus, in which the kernel reports throttling; NULL: it does not. Returns 0
 * or -errno (logged).
 */
int stack_session__attach(struct stack_session *s, const int *cpus, const int *ring_fds,
			  size_t cpu_cnt);
/* Returns how an event is sampled: as stack_config says, or by default. */
struct perf_sampling stack_session__sampling(const struct stack_config *cfg,
					     const struct event *ev);
/* Lets samples leave the kernel from the returned time on: CLOCK_MONOTONIC, ns … */
uint64_t stack_session__activate(struct stack_session *s);
/* … up to this one: after the return, no program is sending any more. */
uint64_t stack_session__deactivate(struct stack_session *s);
/*
 * With off_cpu, right after activate, which returned since_ns: notes the threads that are off the
 * CPU since before, so that stack_session__away() and records have them, and calls each(ctx,
 * before) for each (struct of wire.h, valid during the call). Nothing happens where the kernel has
 * no iterator of tasks (5.8). Returns 0, or the value that each returned, or -errno (logged).
 */
int stack_session__before(struct stack_session *s, uint64_t since_ns,
			  int (*each)(void *ctx, const struct wire_before *before), void *ctx);
/*
 * After deactivate: calls each(ctx, tid, away) for each thread that has not come back (struct of
 * wire.h). Returns 0, or the value that each returned, or -errno.
 */
int stack_session__away(const struct stack_session *s,
			int (*each)(void *ctx, uint32_t tid, const struct wire_offcpu_entry *away),
			void *ctx);
/*
 * After deactivate: calls each(ctx, event, cnt) for each event of which the kernel skipped records,
 * because a program was already running on that CPU. event NULL: time off the CPU. The kernel does
 * not count skipped samples of perf events.
 */
void stack_session__missed(const struct stack_session *s,
			   void (*each)(void *ctx, const struct event *ev, uint64_t cnt),
			   void *ctx);
/*
 * Returns the number of absences that are missing, because more threads were away at once than
 * there is room for.
 */
uint64_t stack_session__away_refused(const struct stack_session *s);
/*
 * After deactivate: returns how many ticks of busy CPUs' clocks brought no sample while the session
 * was active; *ticks is the number of all ticks.
 */
uint64_t stack_session__unseen(const struct stack_session *s, uint64_t *ticks);
/*
 * Once attached: becomes readable if the process that holds the classic tracepoints ends before the
 * session. -1: none is attached.
 */
int stack_session__helper_fd(const struct stack_session *s);
void stack_session__free(struct stack_session *s);

/*
 * For the source: the perf-event array, the state of each CPU, and the program that sends a batch.
 */
int stack_session__rings_fd(const struct stack_session *s);
/*
 * Returns the unwinder, which builds the tables for walks of user stacks; NULL: the kernel walks
 * them.
 */
struct unwinder *stack_session__unwinder(const struct stack_session *s);
const struct cpus *stack_session__cpus(const struct stack_session *s);
int stack_session__flush_fd(const struct stack_session *s);

#endif
