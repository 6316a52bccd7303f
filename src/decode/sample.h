/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * One decoded event: what every sink takes, whatever it came from. All
 * pointers stay valid only until the sink's call returns.
 */
#ifndef BPFPERF_DECODE_SAMPLE_H
#define BPFPERF_DECODE_SAMPLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "decode/lost.h"

struct event;
struct perf_sample;

struct callchain {
	const uint64_t *kern; /* kernel addresses, innermost first */
	const uint64_t *user; /* user addresses, innermost first; to be read by callchain__user() */
	uint16_t kern_cnt, user_cnt;
	bool truncated; /* deeper than what was captured */
};

/* A user address of those that a guess led to, where others are known for sure. */
#define CALLCHAIN_GUESSED (1ull << 63)
/* One that is no return address: what a signal interrupted, or what is known to lie within the call. */
#define CALLCHAIN_EXACT (1ull << 62)

static inline bool callchain__is_empty(const struct callchain *chain)
{
	return !chain->kern_cnt && !chain->user_cnt;
}

static inline uint64_t callchain__user(const struct callchain *chain, size_t i)
{
	return chain->user[i] & ~(CALLCHAIN_GUESSED | CALLCHAIN_EXACT);
}

/*
 * An address within the function that was at work there. All but the innermost are return addresses,
 * where nothing else is known: the call is the instruction before, and where it was a function's
 * last, the address itself is in the next one.
 */
static inline uint64_t callchain__user_in(const struct callchain *chain, size_t i)
{
	bool returns = i && !(chain->user[i] & CALLCHAIN_EXACT);

	return callchain__user(chain, i) - returns;
}

static inline uint64_t callchain__kernel_in(const struct callchain *chain, size_t i)
{
	return chain->kern[i] - (i > 0);
}

/* Was the frame found by a frame pointer, for want of a rule how to unwind? */
static inline bool callchain__is_guessed(const struct callchain *chain, size_t i)
{
	return chain->user[i] & CALLCHAIN_GUESSED;
}

enum sample_kind {
	SAMPLE_ON_CPU, /* the thread was running */
	SAMPLE_OFF_CPU, /* it was not: the stack it slept or waited in */
};

/* By how much a counter has grown: counted, and how long it was wanted and did count. */
struct counter_growth {
	uint64_t value;
	uint64_t enabled_ns, running_ns;
};

struct sample {
	uint64_t time_ns; /* CLOCK_MONOTONIC */
	/*
	 * Its weight: how many events this sample stands for, in the event's unit (nanoseconds
	 * of the clocks, and of all that is off the CPU); of a tracepoint what it counts, mostly 1.
	 */
	uint64_t period;
	enum sample_kind kind;
	uint32_t cpu;
	int32_t pid, tid; /* tgid and thread id, in the initial pid namespace */
	const char *comm; /* the thread's name at that time, never NULL */
	const struct event *event;
	const void *raw; /* tracepoint record as tracefs describes it, or NULL */
	uint32_t raw_sz;
	/* Off the CPU: what it did there ("[sleeping]"), innermost of all; and who ended it. NULL: nothing. */
	const char *state;
	const struct callchain *waker;
	int32_t waker_pid; /* tgid */
	const char *waker_comm;
	struct callchain chain; /* kern_cnt = user_cnt = 0 where none was asked for */
	/* Where stacks are told by an id: the same id, the same chain. 0: no stack. */
	uint64_t stack_id;
	bool stack_lost; /* there was one, and no room for it */
	const struct counter_growth *counters; /* as many as were asked for; NULL: none were */
	uint32_t maps_version; /* another one where the process has mapped something since */
	const struct perf_sample
		*perf; /* the fields that only recordings have; NULL: live sample */
};

/* What the counters of one CPU say, read by the loader between the records. */
struct counter_row {
	uint64_t time_ns;
	uint32_t cpu;
	const struct counter_growth *counters; /* since they were opened */
};

#endif
