/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * User stacks without frame pointers (bpf/user_stack.bpf.h): the knobs of the programs, and a thread
 * that makes what their walks ask for. Whoever has a BPF object with those programs uses it so:
 *
 *     unwinder__configure(obj, &mode), unwinder__set_knobs(skel->rodata, mode)    between open and load
 *     u = unwinder__start(obj, mode, only)                          after load, before attach
 *     unwinder__on_mmap/_on_exec/_on_exit(u, …)                     process records, when they are read
 *     unwinder__stats(u, …), unwinder__stop(u)                      after deactivate
 *
 * Where stacks are taken by the kernel there is none (NULL), which all calls bear with.
 */
#ifndef BPFPERF_SESSION_UNWINDER_H
#define BPFPERF_SESSION_UNWINDER_H

#include <stdbool.h>
#include <stdint.h>

#include <linux/types.h>

#include "bpf/unwind_wire.h"
#include "kernel/features.h"
#include "session/unwind_files.h"

struct bpf_object;
struct targets;
struct unwinder;

struct unwinder_stats {
	uint64_t ends[UNWIND_END_CNT]; /* walks that ended so; [UNWIND_GOES_ON]: none */
	uint64_t no_proc; /* walks of a process that nothing was known of yet */
	uint64_t frames, frames_by_fp; /* of all walks; to how many of them a frame pointer led */
	uint64_t ask_lost; /* there was no room to ask for what was lacking */
	struct unwind_files_stats files;
};

/*
 * What of *mode can be done here: UNWIND_AUTO becomes UNWIND_KERNEL where walks cannot be. 0, or
 * -EOPNOTSUPP after one sentence, for UNWIND_TABLES. Then the maps' sizes and which programs are loaded.
 */
int unwinder__configure(struct bpf_object *obj, enum unwind_mode *mode);
#define unwinder__set_knobs(ro, mode)                                                              \
	do {                                                                                       \
		(ro)->unwind_mode = (mode);                                                        \
		(ro)->unwind_regs_helper = feature__have(FEATURE_TASK_REGS);                       \
	} while (0)
/*
 * Follows forks and starts the thread. only: nobody but these is watched, each of whom will be sampled: tables
 * of all that they have mapped are made at once, not of what is met alone; NULL: all are. Process records
 * are being taken already. NULL after one sentence; or for UNWIND_KERNEL, with errno 0.
 */
struct unwinder *unwinder__start(struct bpf_object *obj, enum unwind_mode mode,
				 const struct targets *only);
/* Nothing more is made. The maps stay as they are. */
void unwinder__stop(struct unwinder *u);

/*
 * What process records say, of whole processes; time_ns is CLOCK_MONOTONIC: what is known from later on stays,
 * whatever order they come in. The sooner the better, as room is given back. Never waits for the thread.
 */
void unwinder__on_mmap(struct unwinder *u, int32_t pid, uint64_t time_ns);
void unwinder__on_exec(struct unwinder *u, int32_t pid, uint64_t time_ns);
void unwinder__on_exit(struct unwinder *u, int32_t pid, uint64_t time_ns);

void unwinder__stats(struct unwinder *u, struct unwinder_stats *stats);

#endif
