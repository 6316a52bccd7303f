// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * Keeps the `tasks` map true while watched tasks fork and call exec. Not
 * tp_btf, so that a kernel without BTF of its own loads it: the types may be
 * those of a file (--btf), and forks are seldom enough for a helper's price.
 */
#include <linux/bpf.h>
#include "vmlinux.h"
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>
#include <bpf/bpf_core_read.h>

#include "filter.bpf.h"

#define COMM_LEN 16

/* Is the name one of --comm's? The loop of target/comm_glob.c. */
static __always_inline _Bool is_named(const char *name)
{
	__u8 comm[COMM_LEN] = {};
	__u32 states = 1, i;

	bpf_probe_read_kernel_str(comm, sizeof(comm), name);
	for (i = 0; i < COMM_LEN; i++) {
		if (!comm[i])
			break;
		states = (states & comm_accept[comm[i]]) << 1 | (states & comm_star_end[0]);
	}
	return states & comm_star_end[1];
}

/* A thread may be renamed by another. */
static __always_inline void note_name(struct task_struct *task, const char *name)
{
	__u8 *state = task_state((__u32)BPF_CORE_READ(task, pid));

	if (!state)
		return;
	if (is_named(name))
		*state |= WIRE_TASK_NAMED;
	else
		*state &= ~WIRE_TASK_NAMED;
}

/*
 * Runs in the parent, before the child can run. The child's state is always
 * written, so that an id that is used again starts from its new parent's. Its
 * name may be another: threads of the kernel and of vhost are given theirs
 * before this, and renamed no more (6.4).
 */
SEC("raw_tp/task_newtask")
int BPF_PROG(follow_newtask, struct task_struct *task)
{
	__u8 *parent = task_state((__u32)bpf_get_current_pid_tgid());
	__u8 *child = task_state((__u32)BPF_CORE_READ(task, pid));

	if (!parent || !child)
		return 0;
	*child = *parent & WIRE_TASK_ALONE ? 0 : *parent & WIRE_TASK_WATCHED;
	if (filter_comm && is_named(task->comm))
		*child |= WIRE_TASK_NAMED;
	return 0;
}

/*
 * CMD's task becomes watched inside its exec: begin_new_exec() renames the
 * task right after it has switched on perf's own enable_on_exec events. What
 * bpfperf did in that task before is not CMD's.
 */
SEC("raw_tp/task_rename")
int BPF_PROG(follow_exec, struct task_struct *task, const char *name)
{
	__u32 tid = (__u32)bpf_get_current_pid_tgid();
	__u8 *state;

	if (hide_cmd && tid == hidden_tgid)
		hidden_tgid = HIDDEN_NOBODY;
	if (filter_comm)
		note_name(task, name);
	if (!filter_tasks)
		return 0;
	state = task_state(tid);
	if (state && *state & WIRE_TASK_ON_EXEC)
		*state = (*state & ~WIRE_TASK_ON_EXEC) | WIRE_TASK_WATCHED;
	return 0;
}

char LICENSE[] SEC("license") = "Dual BSD/GPL";
