/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * User stacks without frame pointers (bpf/user_stack.bpf.h): sets the knobs of the programs, and
 * runs a thread that builds the tables their walks request. The owner of a BPF object with these
 * programs calls:
 *
 *     unwinder__configure(obj, &mode, omit)            between open and load
 *     unwinder__set_knobs(skel->rodata, mode)          between open and load
 *     u = unwinder__new(obj, mode, omit, program)      between open and load
 *     unwinder__start(u, obj, only)                    after load, before attach
 *     unwinder__wait(u)                                before activate
 *     unwinder__on_mmap/_on_exec/_on_exit(u, …)        when process records are read
 *     unwinder__on_dump(u, …)                          when a process has a JIT compiler
 *     unwinder__stats(u, …), unwinder__stop(u)         after deactivate
 *
 * The unwinder is NULL when the kernel takes the stacks; every function accepts NULL.
 */
#ifndef BPFPERF_SESSION_UNWINDER_H
#define BPFPERF_SESSION_UNWINDER_H

#include <stdbool.h>
#include <stdint.h>

#include <linux/types.h>

#include "bpf/unwind_wire.h"
#include "kernel/features.h"
#include "session/interp.h"
#include "session/unwind_files.h"

struct bpf_object;
struct targets;
struct unwinder;

struct unwinder_stats {
	uint64_t ends[UNWIND_END_CNT]; /* walks by their end; [UNWIND_GOES_ON] is unused */
	uint64_t no_proc; /* walks of a process that was not known yet */
	uint64_t frames, frames_by_fp; /* frames of all walks, and those reached by frame pointer */
	uint64_t ask_lost; /* requests that found no room */
	uint64_t sets_refused; /* sets of mappings that found no room */
	struct unwind_files_stats files;
	struct interp_stats interp;
};

/*
 * Checks whether walks are possible here: if not, UNWIND_AUTO in *mode becomes UNWIND_KERNEL, and
 * UNWIND_TABLES returns -EOPNOTSUPP after one sentence. Then sets the maps' sizes and which
 * programs are loaded, and returns 0. omit: languages (interp.h) that stacks do not show.
 */
int unwinder__configure(struct bpf_object *obj, enum unwind_mode *mode, uint32_t omit);
/* Returns the value of the knob unwind_page_shift for this kernel. */
uint32_t unwinder__page_shift(void);
#define unwinder__set_knobs(ro, mode)                                                              \
	do {                                                                                       \
		(ro)->unwind_mode = (mode);                                                        \
		(ro)->unwind_regs_helper = feature__have(FEATURE_TASK_REGS);                       \
		(ro)->unwind_page_shift = unwinder__page_shift();                                  \
	} while (0)
/*
 * Creates the maps of tables and starts the thread, which builds the tables of usual files and of
 * program meanwhile: the path of a program that will be started, or NULL; it must outlive the
 * unwinder. NULL and errno, nothing is logged; errno 0: UNWIND_KERNEL.
 */
struct unwinder *unwinder__new(struct bpf_object *obj, enum unwind_mode mode, uint32_t omit,
			       const char *program);
/*
 * Follows forks; processes are read from now on. only: the watched processes, all of which will be
 * sampled: tables of all their mappings are built at once, not on request only; NULL: all processes
 * are watched. Process records must be read already. 0, or -errno after one sentence.
 */
int unwinder__start(struct unwinder *u, const struct bpf_object *obj, const struct targets *only);
/*
 * Waits until the tables of the program and of the processes in `only` are in their maps: their
 * first stacks are whole.
 */
void unwinder__wait(struct unwinder *u);
/* Stops the thread: no more tables are built. The maps are unchanged. */
void unwinder__stop(struct unwinder *u);

/*
 * Handle process records, of whole processes, and never wait for the thread. They should come soon,
 * because they free memory. A process has mapped something; time_ns is CLOCK_MONOTONIC: it does not
 * override later knowledge, in whatever order records come.
 */
void unwinder__on_mmap(struct unwinder *u, int32_t pid, uint64_t time_ns);
/* A process has ended, or called exec, where bpf/forks.bpf.c deletes its entry. */
void unwinder__on_gone(struct unwinder *u);
/*
 * The process has mapped the dump of its JIT compiler. The kernel's tree of mappings leads to no
 * table of that code: the process is read.
 */
void unwinder__on_dump(struct unwinder *u, int32_t pid);

/* Ends the thread, after which no more tables are built, and sums up what was done. */
void unwinder__stats(struct unwinder *u, struct unwinder_stats *stats);
/* The part for interpreters; NULL: there is none. */
struct interp *unwinder__interp(const struct unwinder *u);

#endif
