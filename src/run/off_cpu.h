/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Time off the CPU in a profile (stack --off-cpu): two events, asleep and runnable, that no
 * counter has.
 */
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
	struct tasks *tasks; /* these three are not owned */
	struct sink *sink;
	struct losses *losses;
	uint64_t min_ns, max_ns; /* of absences that are shown; max 0: any */
	uint64_t away_cnt; /* threads that were away at the end */
	uint64_t lost_stacks; /* samples with an unknown stack */
};

/* The machine outlives o. 0 or -ENOMEM (logged). */
int off_cpu__init(struct off_cpu *o, const struct machine *machine, uint32_t max_depth);
void off_cpu__free(struct off_cpu *o);
/* A record of a BPF program; one of another kind is none of its. 0 or the sink's error. */
int off_cpu__record(struct off_cpu *o, const struct wire_rec *rec, uint32_t cpu);
/* After deactivate, all records read: threads that have not come back. 0 or the sink's error. */
int off_cpu__finish(struct off_cpu *o, const struct stack_session *session);
/* Logs what is missing. */
void off_cpu__summary(const struct off_cpu *o, const struct stack_session *session);

#endif
