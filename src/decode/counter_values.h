/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Counters with records. What travels is what a counter said, so that a lost record loses no
 * growth; what is shown is the growth since the owner's record before: its CPU's, or its task's.
 */
#ifndef BPFPERF_DECODE_COUNTER_VALUES_H
#define BPFPERF_DECODE_COUNTER_VALUES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "decode/sample.h"
#include "util/u64map.h"

struct wire_counter;

struct counter_values {
	size_t cnt; /* counters with each record */
	bool by_task;
	struct u64map by_owner; /* CPU, or thread → index of its set */
	struct counter_growth
		*last; /* sets of cnt, one behind the other: as of the record before */
	size_t set_cnt, set_cap;
	uint64_t restarts; /* how often what fell to a task began anew, unseen growth being lost */
	struct counter_growth *growth; /* of the record at hand */
};

/* 0 or -ENOMEM. */
int counter_values__init(struct counter_values *cv, size_t cnt, bool by_task);
void counter_values__free(struct counter_values *cv);

/* Of a CPU's counter i: what it said when tracing began. Its first record's growth is since then. */
int counter_values__begin(struct counter_values *cv, uint32_t cpu, size_t i,
			  const struct wire_counter *at);
/* A thread begins: with nothing, whoever had its id before. */
void counter_values__new_thread(struct counter_values *cv, int32_t tid);

/*
 * The growth of each counter up to `now` (cnt of them), in time order of a CPU or thread. An
 * interrupt may read a counter before the one it interrupted, whose record is the older: then the
 * first one shown has the growth of both. A task's may begin anew, where there are more than the
 * kernel's side keeps: it is counted. Valid until the next call; NULL: no memory.
 */
const struct counter_growth *counter_values__advance(struct counter_values *cv, uint32_t cpu,
						     int32_t tid, const struct wire_counter *now);

#endif
