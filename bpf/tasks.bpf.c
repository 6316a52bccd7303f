// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * Keeps the `tasks` map up to date while watched tasks fork and call exec. It does not use tp_btf,
 * so that a kernel without own BTF loads it: the types may come from a file (--btf), and forks are
 * rare enough for the cost of a helper.
 */
#include <linux/bpf.h>
#include "vmlinux.h"
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>
#include <bpf/bpf_core_read.h>

#include "filter.bpf.h"

#define COMM_LEN 16

/* Does --comm match the name? This is the loop of target/comm_glob.c. */
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

/* The task may be another one than the current: threads can rename each other. */
static __always_inline void note_name(struct task_struct *task, const char *name)
{
	__u8 *state = task_state(task_tid(task));

	if (!state)
		return;
	if (is_named(name))
		*state |= WIRE_TASK_NAMED;
	else
		*state &= ~WIRE_TASK_NAMED;
}

/*
 * Runs in the parent, before the child can run. The child's state is always written, so that a
 * reused id takes the state of its new parent. Its name may differ: threads of the kernel and of
 * vhost get their names before this, without a later rename (6.4).
 */
SEC("raw_tp/task_newtask")
int BPF_PROG(follow_newtask, struct task_struct *task)
{
	__u8 *parent = task_state((__u32)current_ids());
	__u8 *child = task_state(task_tid(task));

	if (!parent || !child)
		return 0;
	*child = *parent & WIRE_TASK_ALONE ? 0 : *parent & WIRE_TASK_WATCHED;
	if (filter_comm && is_named(task->comm))
		*child |= WIRE_TASK_NAMED;
	return 0;
}

/*
 * CMD's task becomes watched inside its exec: begin_new_exec() renames the task right after it has
 * enabled perf's own enable_on_exec events. What that task did before was bpfperf's code, not
 * CMD's.
 */
SEC("raw_tp/task_rename")
int BPF_PROG(follow_exec, struct task_struct *task, const char *name)
{
	__u32 tid = (__u32)current_ids();
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
