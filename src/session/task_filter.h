/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * The part that sessions of all BPF objects share: which CPUs and tasks are watched
 * (bpf/filter.bpf.h), and how tasks are followed (bpf/tasks.bpf.c).
 */
#ifndef BPFPERF_SESSION_TASK_FILTER_H
#define BPFPERF_SESSION_TASK_FILTER_H

#include <stdbool.h>
#include <string.h>
#include <stdint.h>
#include <sys/types.h>

#include "reader/reader.h"
#include "target/cgroup.h"
#include "host/pid_ns.h"
#include "target/comm_glob.h"
#include "session/cpus.h"
#include "target/targets.h"

struct bpf_link;
struct bpf_object;

struct task_filter {
	const struct targets *targets;
	bool by_task; /* targets__by_task() */
	pid_t cmd_pid; /* CMD's process, watched from its exec on; 0: none */
	size_t ring_sz; /* bytes of each ring that the source will open; 0: large */
	struct bpf_link *links[2]; /* links of follow_newtask and follow_exec */
	struct comm_glob comm; /* the glob of targets->comm */
	struct cgroup cgroup; /* the group of targets->cgroup, from task_filter__check() on */
	struct cpus cpus; /* valid from task_filter__start_cpus() on */
	uint32_t *shown_pids, *shown_cnt; /* of the skeleton: reader__show_pids() */
};

/* Returns the knob batch_sz for rings of ring_sz. */
uint32_t task_filter__batch_sz(const struct task_filter *w);
/*
 * Called before any object is opened: checks whether tasks can be watched here, and resolves --comm
 * and -G. Returns 0, or -errno after one sentence.
 */
int task_filter__check(struct task_filter *w);
/* May bpfperf or one of its readers be among the tasks that the other filters let pass? */
bool task_filter__may_have_self(const struct task_filter *w);
/*
 * Sets the knobs of filter.bpf.h in an opened skeleton. If tasks are marked, CMD is marked at its
 * exec, and need not be hidden before.
 */
#define task_filter__set_knobs(w, skel)                                                            \
	do {                                                                                       \
		typeof((skel)->rodata) ro_ = (skel)->rodata;                                       \
		const struct targets *t_ = (w)->targets;                                           \
                                                                                                   \
		ro_->pid_ns_inum = pid_ns__inum();                                                 \
		ro_->self_tgid = task_filter__may_have_self(w) ? (__u32)getpid() : 0;              \
		ro_->filter_cpus = t_->cpus != NULL;                                               \
		ro_->filter_tasks = (w)->by_task;                                                  \
		ro_->filter_comm = t_->comm != NULL;                                               \
		memcpy((void *)ro_->comm_accept, (w)->comm.accept, sizeof(ro_->comm_accept));      \
		((__u32 *)ro_->comm_star_end)[0] = (w)->comm.star;                                 \
		((__u32 *)ro_->comm_star_end)[1] = (w)->comm.end;                                  \
		ro_->filter_uid = t_->has_uid;                                                     \
		ro_->wanted_uid = t_->uid;                                                         \
		ro_->filter_cgroup = t_->cgroup ? 1 + (w)->cgroup.is_v1 : 0;                       \
		((__u64 *)ro_->cg_id)[0] = (w)->cgroup.id;                                         \
		memcpy((void *)ro_->cg_offs, (w)->cgroup.offs, sizeof(ro_->cg_offs));              \
		ro_->hide_cmd = (w)->cmd_pid && !(w)->by_task;                                     \
		(skel)->bss->hidden_tgid = (__u32)(w)->cmd_pid;                                    \
		_Static_assert(sizeof((skel)->bss->own_readers) == READERS_MAX * sizeof(__u32),    \
			       "each reader has its place");                                       \
		(w)->shown_pids = (skel)->bss->own_readers;                                        \
		(w)->shown_cnt = &(skel)->bss->own_reader_cnt;                                     \
	} while (0)
/* Called between open and load: sets the sizes of the maps, and which programs are loaded. */
void task_filter__configure(const struct task_filter *w, struct bpf_object *obj);
/* Called after load: maps the state of CPUs, and marks the watched ones. Returns 0 or -errno. */
int task_filter__start_cpus(struct task_filter *w, struct bpf_object *obj);
/*
 * Follows tasks, then marks the watched ones. Call it before the events are attached, so that they
 * find current marks. Returns 0 or -errno.
 */
int task_filter__start_tasks(struct task_filter *w, struct bpf_object *obj);
void task_filter__stop(struct task_filter *w);

/* Returns the fd of the program that sends a CPU's batch (bpf/flush.bpf.c). */
int task_filter__flush_fd(const struct bpf_object *obj);

#endif
