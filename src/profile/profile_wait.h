/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * A stack as the wait that it shows: the function of the program that waits, in which state, and in
 * which system call. The kernel's scheduler and its generic waits are on the way of every thread,
 * and the C library's wrappers on that of every call: none of these is the one that waits.
 */
#ifndef BPFPERF_PROFILE_PROFILE_WAIT_H
#define BPFPERF_PROFILE_PROFILE_WAIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "profile/profile.h"

struct profile_wait {
	/*
	 * Index into profile.funcs: the innermost user function outside of the wrappers of the
	 * call. Without a user stack it is the kernel's function, if that is a kernel thread, else
	 * TEXTS_NONE.
	 */
	uint32_t func;
	uint32_t state; /* index into profile.texts: "sleeping", "preempted", …; "running" */
	uint32_t call; /* index into profile.texts: "read", "page fault"; TEXTS_NONE: none */
	/* Frames of the stack, from the innermost on: */
	uint16_t own; /* the first one of the thread itself, behind its state and its waker */
	uint16_t path; /* the first one that is not of the scheduler or of a generic wait */
	uint16_t entry; /* the first one of the kernel's entry code; kern_cnt: there is none */
	uint16_t func_frame, func_at; /* position of func: its frame, its number in the frame */
};

/*
 * Checks whether a function is a note in the place of a frame: the state of a thread off the CPU,
 * or "[woken by]".
 */
bool profile_wait__is_note(const struct profile *p, const struct profile_func *f);
/* Reads the wait of a stack of p; names are looked up. 0 or -ENOMEM. */
int profile_wait__read(struct profile *p, const struct profile_stack *st, struct profile_wait *w);
/*
 * Puts the functions of a stack into funcs, innermost first, without notes, scheduler and entry
 * code; max: room in funcs. *at is the position of w->func, or the number of functions if w has
 * none. Returns the number of functions.
 */
size_t profile_wait__functions(struct profile *p, const struct profile_stack *st,
			       const struct profile_wait *w, uint32_t *funcs, size_t max,
			       size_t *at);

#endif
