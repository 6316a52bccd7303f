/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * One decoded event, the input of every sink, from any source. All pointers are valid only until
 * the sink's call returns.
 */
#ifndef BPFPERF_DECODE_SAMPLE_H
#define BPFPERF_DECODE_SAMPLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "data/lost.h"

struct insn_rows;
struct event;
struct named_chain;
struct named_lines;
struct named_place;
struct perf_sample;

struct callchain {
	const uint64_t *kern; /* kernel addresses, innermost first */
	/* user addresses, innermost first; read them with callchain__user() */
	const uint64_t *user;
	uint16_t kern_cnt, user_cnt;
	bool truncated; /* the stack was deeper than the capture */
};

/* Bit of a user address that was found by guessing, while others were unwound by rule. */
#define CALLCHAIN_GUESSED (1ull << 63)
/*
 * Bit of an address that is no return address: a signal's interruption point, or an address known
 * to lie within the call instruction.
 */
#define CALLCHAIN_EXACT (1ull << 62)

/*
 * Bit of a word that is no address: a frame of an interpreter (lang/codes.h). It has neither of the
 * bits above.
 */
#define CALLCHAIN_CODE (1ull << 61)

static inline bool callchain__is_code(const struct callchain *chain, size_t i)
{
	return chain->user[i] >> 61 == 1;
}

static inline bool callchain__is_empty(const struct callchain *chain)
{
	return !chain->kern_cnt && !chain->user_cnt;
}

/* Returns a user address, or the word of a frame of an interpreter. */
static inline uint64_t callchain__user(const struct callchain *chain, size_t i)
{
	uint64_t addr = chain->user[i] & ~(CALLCHAIN_GUESSED | CALLCHAIN_EXACT);

	/* Addresses of the vsyscall page, and those of files, have any bits. */
	return callchain__is_code(chain, i) ? addr : addr & ~CALLCHAIN_CODE;
}

/*
 * Returns an address within the call instruction. All addresses but the innermost are return
 * addresses by default: the call is the instruction before it, and if the call is a function's last
 * instruction, the return address already belongs to the next function.
 */
static inline uint64_t callchain__user_in(const struct callchain *chain, size_t i)
{
	bool returns = i && !(chain->user[i] & CALLCHAIN_EXACT) && !callchain__is_code(chain, i);

	return callchain__user(chain, i) - returns;
}

static inline uint64_t callchain__kernel_in(const struct callchain *chain, size_t i)
{
	return chain->kern[i] - (i > 0);
}

/* Returns whether the frame was found by frame pointer, since no unwind rule was known. */
static inline bool callchain__is_guessed(const struct callchain *chain, size_t i)
{
	return chain->user[i] & CALLCHAIN_GUESSED;
}

enum sample_kind {
	SAMPLE_ON_CPU, /* the thread was running */
	SAMPLE_OFF_CPU, /* the thread was off the CPU; the stack is that of its sleep or wait */
	SAMPLE_SPAN, /* a duration, of period ns, that ends at the time of the sample */
};

/* Growth of a counter: its count, and the times enabled and running. */
struct counter_growth {
	uint64_t value;
	uint64_t enabled_ns, running_ns;
};

/*
 * The parts of a sample that only some sinks print, since they cost most of the time
 * (decode/presenter.h). Flags; a consumer that needs a part gives SAMPLE_KEEP as well.
 */
enum sample_need {
	SAMPLE_DROP = 0, /* the sample is not wanted */
	SAMPLE_KEEP = 1 << 0,
	SAMPLE_NEEDS_STACK = 1 << 1, /* a recorded stack is decoded, and unwound */
	SAMPLE_NEEDS_TEXT = 1 << 2, /* text */
	SAMPLE_NEEDS_NAMES = 1 << 3, /* names */
	SAMPLE_NEEDS_LINES = 1 << 4, /* lines, of the recorded stack */
	SAMPLE_NEEDS_IP = 1 << 5, /* lines, of the sample's own address */
	SAMPLE_NEEDS_BRANCHES = 1 << 6, /* branches */
	SAMPLE_NEEDS_CODE = 1 << 7, /* code */
	SAMPLE_NEEDS_PLACE = 1 << 8, /* place */
};

struct sample {
	uint64_t time_ns; /* CLOCK_MONOTONIC */
	/*
	 * The weight: number of events that the sample represents, in the event's unit (nanoseconds
	 * for clocks and for time off the CPU); for a tracepoint its weight field, mostly 1.
	 */
	uint64_t period;
	enum sample_kind kind;
	uint32_t cpu; /* UINT32_MAX: a recording without it */
	int32_t pid, tid; /* process and thread, in bpfperf's pid namespace; -1: outside */
	const char *comm; /* the thread's name at the time of the sample, never NULL */
	const struct event *event;
	const void *raw; /* tracepoint record in the layout of tracefs, or NULL */
	uint32_t raw_sz;
	bool is_compat; /* raw is that of a system call by the kernel's 32-bit interface */
	/*
	 * Off the CPU: its state ("[sleeping]"), printed as the innermost frame, and the task that
	 * woke it. NULL: unknown.
	 */
	const char *state;
	const struct callchain *waker;
	int32_t waker_pid; /* tgid */
	const char *waker_comm;
	struct callchain chain; /* kern_cnt = user_cnt = 0 if no stacks were requested */
	/* If stacks are transmitted by id: equal ids have equal chains. 0: no stack. */
	uint64_t stack_id;
	/* With SAMPLE_NEEDS_NAMES: chain with names; NULL: there is no stack. */
	const struct named_chain *names;
	/* With SAMPLE_NEEDS_LINES or SAMPLE_NEEDS_IP, of a recorded sample; else undefined. */
	const struct named_lines *lines;
	/* With SAMPLE_NEEDS_BRANCHES: both sides of each branch before it; else undefined. */
	const struct named_lines *branches;
	/* With SAMPLE_NEEDS_CODE: the instructions between them; else undefined. */
	const struct insn_rows *code;
	/* With SAMPLE_NEEDS_PLACE: its own address; NULL: nothing is known there. */
	const struct named_place *place;
	bool stack_lost; /* there was a stack, but no room for it */
	/*
	 * With SAMPLE_NEEDS_TEXT: the raw data by the tracepoint's print format, in hex if the
	 * event has none; not terminated.
	 */
	const char *text;
	uint32_t text_len;
	const struct counter_growth *counters; /* one for each requested counter; NULL: none */
	uint32_t maps_version; /* changes whenever the process maps something */
	const struct perf_sample *perf; /* fields that only recordings have; NULL: live sample */
};

/* Counter values of one CPU, read by the loader between the records. */
struct counter_row {
	uint64_t time_ns;
	uint32_t cpu;
	const struct counter_growth *counters; /* growth since the counters were opened */
};

#endif
