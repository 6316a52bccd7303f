/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Time off the CPU in a profile (stack --off-cpu): two pseudo events, asleep and runnable. */
#ifndef BPFPERF_RUN_OFF_CPU_H
#define BPFPERF_RUN_OFF_CPU_H

#include <stdint.h>

#include "run/callstacks.h"
#include "decode/offcpu_record.h"

struct losses;
struct sink;
struct stack_session;

struct off_cpu {
	struct event *events[OFFCPU_STATES];
	struct callstacks callstacks;
	struct tasks *tasks; /* the three pointers are not owned */
	struct sink *sink;
	struct losses *losses;
	uint64_t min_ns, max_ns; /* range of the absences to show; max 0: no limit */
	uint64_t away_cnt; /* threads still off the CPU at the end */
	uint64_t lost_stacks; /* samples with an unknown stack */
};

/* Initializes o; the machine outlives it. 0 or -ENOMEM (logged). */
int off_cpu__init(struct off_cpu *o, const struct machine *machine, uint32_t max_depth);
void off_cpu__free(struct off_cpu *o);
/* Handles a record of a BPF program; records of other kinds are ignored. 0 or the sink's error. */
int off_cpu__record(struct off_cpu *o, const struct wire_rec *rec, uint32_t cpu);
/*
 * Called after deactivate, when all records were read: adds threads still off the CPU. 0 or the
 * sink's error.
 */
int off_cpu__finish(struct off_cpu *o, const struct stack_session *session);
/* Logs missing samples and stacks. */
void off_cpu__summary(const struct off_cpu *o, const struct stack_session *session);

#endif
