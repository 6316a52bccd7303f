/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * All knobs that the loader sets before the programs are verified. The verifier sees them as
 * constants, so a branch that a knob switches off costs nothing. Programs load with the defaults,
 * too.
 */
#ifndef BPFPERF_KNOBS_BPF_H
#define BPFPERF_KNOBS_BPF_H

#include "wire.h"

/*
 * The pid namespace whose ids are used, bpfperf's, by its inode number; 0: the initial one, whose
 * ids cost nothing (task_ids.bpf.h).
 */
const volatile __u32 pid_ns_inum __weak = 0;

/* Process that is never traced: bpfperf itself. 0: none (--include-self). */
const volatile __u32 self_tgid __weak = 0;

/*
 * Exception: bpfperf's own switches, without which the time other tasks began to run is unknown
 * (sched_switch on its raw path).
 */
const volatile _Bool self_switches __weak = 0;

/* Check hidden_tgid (maps.bpf.h). */
const volatile _Bool hide_cmd __weak = 0;

/* Trace only CPUs that are marked as watched. */
const volatile _Bool filter_cpus __weak = 1;

/* Trace only tasks marked in the `tasks` map. */
const volatile _Bool filter_tasks __weak = 0;

/* Trace only tasks with a name that the glob matches (the tables of target/comm_glob.h). */
const volatile _Bool filter_comm __weak = 0;
const volatile __u32 comm_accept[256] __weak = {};
const volatile __u32 comm_star_end[2] __weak = {};

/* Trace only tasks of this user. */
const volatile _Bool filter_uid __weak = 0;
const volatile __u32 wanted_uid __weak = 0;

/*
 * Trace only tasks of a control group and of those below it. 1: of v2, in the map cgroup; 2: of v1.
 */
const volatile __u32 filter_cgroup __weak = 0;
const volatile __u64 cg_id[1] __weak = {};
const volatile __u32 cg_offs[WIRE_CG_OFF_CNT] __weak = {};

/* The kernel has bpf_get_attach_cookie() for tracepoints (5.15). */
const volatile _Bool has_attach_cookie __weak = 0;

/* Bytes from which on a batch is sent: less than WIRE_BATCH_SZ and than a quarter of a ring. */
const volatile __u32 batch_sz __weak = 4096;

/* Bytes between the head and the entry of each tracepoint record; a multiple of 8. */
const volatile __u32 ext_sz __weak = 0;

/*
 * The loader has put code into patch_point() (patch_point.bpf.h), which needs the members
 * patch_needs of its environment (enum wire_patch_need).
 */
const volatile _Bool has_patch_point __weak = 0;
const volatile __u32 patch_needs __weak = 0;

/* Generated code may find a record that raises the alarm (alarm.bpf.h). */
const volatile _Bool has_trigger __weak = 0;

/* The extension of each tracepoint record begins with the id of a stack. */
const volatile _Bool has_callstack __weak = 0;

/* Definitions of stacks go to their own rings, because the rings of records overwrite old data. */
const volatile _Bool separate_def_rings __weak = 0;

/* Records are counted, not sent: enum wire_agg_mode. */
const volatile __u32 agg_mode __weak = 0;

/*
 * Pairs of events are counted in place of records (span.bpf.h), by keys of span_words words, and
 * joined by span_match_words words. span_hot_mask: places of a CPU in span_hot - 1.
 * span_late: the task of a start is checked there, because ends are wanted of any task.
 * span_of_woken: the task of a wakeup is the one that is woken.
 */
const volatile _Bool count_spans __weak = 0;
const volatile __u32 span_words __weak = WIRE_SPAN_ROW;
const volatile __u32 span_match_words __weak = WIRE_SPAN_MATCH;
const volatile __u32 span_hot_mask __weak = 0;
const volatile _Bool span_late __weak = 0;
const volatile _Bool span_of_woken __weak = 0;

/* The records of ends are sent, too, if the duration is at least span_min_ns. */
const volatile _Bool span_each __weak = 0;
const volatile __u64 span_min_ns __weak = 0;

/*
 * Counters in each record's extension, behind the stack's id: their number, the number of possible
 * CPUs, and whether they count by task.
 */
const volatile __u32 counter_cnt __weak = 0;
const volatile __u32 counter_stride __weak = 1;
const volatile _Bool counters_by_task __weak = 0;

/*
 * Maximum bytes of kernel and of user addresses per stack, at most 8 * WIRE_STACK_MAX; 0: not
 * wanted.
 */
const volatile __u32 stack_kern_sz __weak = 8 * 127;
const volatile __u32 stack_user_sz __weak = 8 * 127;

/*
 * How user stacks are taken (enum unwind_mode), and whether the kernel has bpf_task_pt_regs()
 * (5.15) and its types.
 */
const volatile __u32 unwind_mode __weak = 0;
const volatile _Bool unwind_regs_helper __weak = 0;

/*
 * Bits of an offset in a page; not 0: walks find mappings in the kernel's own tree (6.1), not only
 * in sets.
 */
const volatile __u32 unwind_page_shift __weak = 0;

#endif
