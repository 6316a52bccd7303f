/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Time off the CPU in a profile (stack --off-cpu): two pseudo events, asleep and runnable. */
#ifndef BPFPERF_RUN_OFF_CPU_H
#define BPFPERF_RUN_OFF_CPU_H

#include <stdbool.h>
#include <stdint.h>

#include "run/callstacks.h"
#include "run/off_before.h"
#include "decode/offcpu_record.h"

struct losses;
struct off_cpu_live;
struct code_maps;
struct sink;
struct stack_session;

struct off_cpu {
	struct event *events[OFFCPU_STATES];
	struct callstacks callstacks;
	struct off_before before;
	struct tasks *tasks; /* the four pointers are not owned */
	struct sink *sink;
	struct code_maps *code_maps; /* likewise */
	struct losses *losses;
	struct off_cpu_live *live; /* the live view, which hears of each absence's end; or NULL */
	uint64_t min_ns, max_ns; /* range of the absences to show; max 0: no limit */
	uint64_t away_cnt; /* threads still off the CPU at the end */
	uint64_t throughout_cnt; /* those of them that never came back */
	uint64_t lost_stacks; /* samples with an unknown stack */
};

/* Initializes o; the machine outlives it. 0 or -ENOMEM (logged). */
int off_cpu__init(struct off_cpu *o, const struct machine *machine, uint32_t max_depth);
void off_cpu__free(struct off_cpu *o);
/*
 * Called right after activate, which returned start_ns: notes the threads that are off the CPU
 * already. 0 or -errno (logged).
 */
int off_cpu__begin(struct off_cpu *o, struct stack_session *session, uint64_t start_ns);
/* Does a small part of what is needed of threads that have been off the CPU since then. */
void off_cpu__go_ahead(struct off_cpu *o);
/* Handles a record of a BPF program; records of other kinds are ignored. 0 or the sink's error. */
int off_cpu__record(struct off_cpu *o, const struct wire_rec *rec, uint32_t cpu);
/*
 * Called after deactivate, when all records were read: adds threads still off the CPU. 0 or the
 * sink's error.
 */
int off_cpu__finish(struct off_cpu *o, const struct stack_session *session);
/* Checks whether an absence of this length is one to show. */
bool off_cpu__wants(const struct off_cpu *o, uint64_t ns);
/* Calls each() for the one or two samples of an absence. 0 or the value that each returned. */
int off_cpu__each(struct off_cpu *o, struct offcpu *off, uint32_t cpu,
		  int (*each)(void *ctx, const struct sample *s), void *ctx);
/* Logs missing samples and stacks. */
void off_cpu__summary(const struct off_cpu *o, const struct stack_session *session);

#endif
