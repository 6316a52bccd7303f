/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Counters with records. A record carries the counters' values, so a lost record loses no growth;
 * the growth since the previous record of the same owner, a CPU or a task, is shown.
 */
#ifndef BPFPERF_DECODE_COUNTER_VALUES_H
#define BPFPERF_DECODE_COUNTER_VALUES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "decode/sample.h"
#include "machine/machine.h"
#include "util/u64map.h"

struct wire_counter;

struct counter_values {
	size_t cnt; /* number of counters in each record */
	bool by_task;
	struct u64map by_owner; /* CPU, or thread → index of its set */
	struct counter_growth
		/* sets of cnt counters, one behind the other: values of the previous record */
		*last;
	size_t set_cnt, set_cap;
	/*
	 * Threads that have ended, in a ring, and how many there were in all. A thread has records
	 * after its end: the last ones are kept.
	 */
	int32_t *ended;
	uint64_t ended_cnt;
	uint64_t *ended_at; /* of each set: ended_cnt when its thread had ended; 0: it lives */
	uint32_t *unused; /* sets of threads that are forgotten */
	size_t unused_cnt;
	uint64_t restarts; /* number of tasks that restarted at 0 and lost growth */
	struct counter_growth *growth; /* growth of the current record */
	struct machine_subscriber subscriber;
};

/* Initializes cv for cnt counters. 0 or -ENOMEM. */
int counter_values__init(struct counter_values *cv, size_t cnt, bool by_task);
void counter_values__free(struct counter_values *cv);

/*
 * Sets the start value of counter i of a CPU. The growth of the CPU's first record is relative to
 * it.
 */
int counter_values__begin(struct counter_values *cv, uint32_t cpu, size_t i,
			  const struct wire_counter *at);
/* Subscribes to the machine's events of threads that begin and end. cv must not move. */
void counter_values__subscribe(struct counter_values *cv, struct machine *machine);
/* A new thread begins at 0, even if its id was used before. */
void counter_values__new_thread(struct counter_values *cv, int32_t tid);
/* A thread has ended: it is forgotten when as many others have as the kernel's side keeps. */
void counter_values__ended(struct counter_values *cv, int32_t tid);

/*
 * Returns the growth of each counter up to `now` (cnt of them), called in time order of a CPU or
 * thread. An interrupt may read a counter before the record that it interrupts, which is the older
 * one: then the first one shown has the growth of both. A task's counters may restart, if there are
 * more tasks than the kernel side keeps: restarts are counted. Valid until the next call; NULL: no
 * memory.
 */
const struct counter_growth *counter_values__advance(struct counter_values *cv, uint32_t cpu,
						     int32_t tid, const struct wire_counter *now);

#endif
