/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * A session of trace, on tracepoints: open → load → attach → activate → deactivate → free. Between
 * load and attach, the caller opens rings on rings_fd.
 */
#ifndef BPFPERF_SESSION_TRACE_SESSION_H
#define BPFPERF_SESSION_TRACE_SESSION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "event/event.h"
#include "session/agg_cells.h"
#include "session/patch_code.h"
#include "session/span_maps.h"
#include "target/targets.h"
#include "session/unwinder.h"

struct perf_counters;
struct cpus;

struct trace_session;

/* Maximum addresses of each side of a record's stack; at most wire.h's WIRE_STACK_MAX. */
#define TRACE_STACK_DEPTH 127

struct trace_config {
	struct event_list *events; /* EVENT_TRACEPOINT only; outlives the session */
	const struct targets *targets;
	bool by_task; /* targets__by_task() */
	bool only_classic; /* use no hand-written programs (tests compare the two paths) */
	pid_t cmd_pid; /* CMD's process, watched from its exec on; 0: none */
	const char *cmd_path; /* its program; NULL: none */
	size_t ring_sz; /* bytes of each ring that will be opened; 0: large */
	bool kern_stack, user_stack; /* stacks in each record */
	enum unwind_mode unwind; /* how user stacks are taken */
	uint32_t omit; /* languages that they do not show: bits by enum interp_language */
	bool separate_def_rings; /* definitions of stacks go to their own rings (defs_fd) */
	/*
	 * Code for each event's records in the kernel, as long as `events` (the session fills the
	 * ids in); NULL: none. patch_needs: enum wire_patch_need.
	 */
	const struct patch_event *patches;
	uint32_t patch_needs;
	bool self_switches; /* records sched_switch of bpfperf itself, too */
	bool has_trigger; /* the patches' code may raise the alarm */
	bool has_budget; /* events may be stopped */
	/*
	 * Pairs of events are counted in place of records, by the keys that `patches` (ends) and
	 * `starts` (as long as `events`) compute; NULL: none.
	 */
	const struct span_config *spans;
	const struct patch_event *starts;
	struct agg_config agg; /* records are counted, by the keys that `patches` compute */
	const struct event_list
		*counters; /* read with each record; NULL: none. Outlives the session */
	bool counters_by_task; /* counts of the record's task, not of its CPU */
};

/* Returns NULL after one sentence. */
struct trace_session *trace_session__open(const struct trace_config *cfg);
/* Verifies and loads the programs. Returns 0 or -errno (logged, with the remedy). */
int trace_session__load(struct trace_session *s);
/*
 * Attaches all events. An event of a glob that cannot be attached is omitted with a warning; for an
 * event given by name this is an error. Returns 0 or -errno (logged).
 */
int trace_session__attach(struct trace_session *s);
/* Lets records leave the kernel from the returned time on: CLOCK_MONOTONIC, ns … */
uint64_t trace_session__activate(struct trace_session *s);
/* … up to this one: after the return, no program is sending any more. */
uint64_t trace_session__deactivate(struct trace_session *s);
/* Detaches and frees; returns at once (see detach_helper.h). */
void trace_session__free(struct trace_session *s);

/*
 * For the source: the perf-event array, the state of each CPU, and the program that sends a batch.
 */
int trace_session__rings_fd(const struct trace_session *s);
/* Returns the array of the definitions' rings, if cfg.separate_def_rings is set; else -1. */
int trace_session__defs_fd(const struct trace_session *s);
const struct cpus *trace_session__cpus(const struct trace_session *s);
int trace_session__flush_fd(const struct trace_session *s);

/*
 * Returns the unwinder, which builds the tables for walks of user stacks; NULL: the kernel walks
 * them.
 */
struct unwinder *trace_session__unwinder(const struct trace_session *s);
/* Returns the counters of cfg.counters, one cell per CPU; NULL without cfg.counters. */
struct perf_counters *trace_session__counters(const struct trace_session *s);
/*
 * Once attached: becomes readable if the process that holds the classic tracepoints ends before the
 * session. -1: none is attached.
 */
int trace_session__helper_fd(const struct trace_session *s);
/* If there is a trigger: the perf-event array of alarms, and the flag that one was raised. */
int trace_session__alarms_fd(const struct trace_session *s);
uint64_t *trace_session__alarm_raised(const struct trace_session *s);
/* Returns the number of records that triggered; several may have led to one dump. */
uint64_t trace_session__triggered(const struct trace_session *s);
/*
 * With counters by task: the number of times that a task was seen to run without a traced switch to
 * it.
 */
uint64_t trace_session__untraced_switches(const struct trace_session *s);

/* Returns the bytes between the head and the entry of each record (wire.h). */
uint32_t trace_session__ext_sz(const struct trace_session *s);

/* While on, the programs count the records of each event, and check whether it is stopped. */
void trace_session__count_events(struct trace_session *s, bool on);
/* Returns the records that an event which is not stopped made in that time. */
uint64_t trace_session__made(const struct trace_session *s, uint16_t id);
/* Stops an event: from now on its records are counted, but not sent. Returns 0 or -errno. */
int trace_session__stop_event(struct trace_session *s, uint16_t id);
/* Returns the number of records that a stopped event did not send. */
uint64_t trace_session__skipped(const struct trace_session *s, uint16_t id);

/* Counts the attached events, and those of them on the classic path. */
void trace_session__counts(const struct trace_session *s, size_t *attached, size_t *classic);

/*
 * Calls `each` for every event (NULL: a program that several events share) whose program the kernel
 * skipped between activate and deactivate, because a program was already running on that CPU, with
 * the number of times. The number covers all tasks, since the skipped program could not filter.
 * kernel/prog_info.h lists the kernels that count.
 */
void trace_session__missed(const struct trace_session *s,
			   void (*each)(void *ctx, const struct event *ev, uint64_t cnt),
			   void *ctx);

/*
 * Ends the watch over events whose programs have run (tp_witness.h); to be called now and then
 * while active.
 */
void trace_session__relax(struct trace_session *s);
/*
 * Calls `each` for every event whose program never ran, after deactivate, with the number of hits
 * that the kernel counted meanwhile, of all tasks.
 */
void trace_session__absent(const struct trace_session *s,
			   void (*each)(void *ctx, const struct event *ev, uint64_t hits),
			   void *ctx);

/* Reads the aggregated cells, after deactivate: agg_cells__read(). */
int trace_session__aggregates(const struct trace_session *s,
			      int (*fn)(void *ctx, const uint64_t *key, uint64_t cnt, int64_t sum),
			      void *ctx);
/* Returns the number of records that no cell counts, because there were too many keys. */
uint64_t trace_session__not_counted(const struct trace_session *s);
/* Returns the number of records that are in no sum or histogram: their value was not in memory. */
uint64_t trace_session__no_value(const struct trace_session *s);

#endif
