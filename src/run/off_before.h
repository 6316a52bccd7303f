/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Stacks of threads that were off the CPU before the measurement began. The kernel cannot follow
 * the user stack of another task, so registers and stack are copied at the start, while the thread
 * sleeps, and unwound when the stack is needed.
 */
#ifndef BPFPERF_RUN_OFF_BEFORE_H
#define BPFPERF_RUN_OFF_BEFORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "util/u64map.h"

struct callstacks;
struct stack_dump;
struct wire_before;

struct off_before {
	struct u64map by_tid; /* thread → index in at */
	struct off_before_thread **at;
	size_t cnt, cap;
	size_t looked_at; /* by off_before__go_ahead() */
	struct stack_dump *dump;
	struct callstacks *callstacks; /* not owned */
	uint32_t user_depth; /* addresses of a user stack; 0: not wanted */
	bool by_fp; /* user stacks are followed along frame pointers */
};

/* callstacks outlives b. */
void off_before__init(struct off_before *b, struct callstacks *callstacks);
void off_before__free(struct off_before *b);
/* For stack_session__before(): copies a thread's stack; ctx: struct off_before. 0 or -ENOMEM. */
int off_before__add(void *ctx, const struct wire_before *before);
/*
 * Defines the stack with this id, if it is of a thread that was added. Returns whether the id is of
 * that kind.
 */
bool off_before__define(struct off_before *b, uint64_t id);

/*
 * Defines stacks of trusted users' processes (reader__is_trusted()) until until_ns (mono_ns()), and
 * announces their functions: most threads that sleep at the start still do so at the end, when its
 * user waits.
 */
void off_before__go_ahead(struct off_before *b, uint64_t until_ns);

#endif
