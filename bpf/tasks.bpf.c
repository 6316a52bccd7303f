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

/*
 * Runs in the parent, before the child can run. The child's state is always
 * written, so that an id that is used again starts from its new parent's.
 */
SEC("raw_tp/task_newtask")
int BPF_PROG(follow_newtask, struct task_struct *task)
{
	__u8 *parent = task_state((__u32)bpf_get_current_pid_tgid());
	__u8 *child = task_state((__u32)BPF_CORE_READ(task, pid));

	if (parent && child)
		*child = follow_children && *parent == WIRE_TASK_WATCHED ? WIRE_TASK_WATCHED
									 : WIRE_TASK_IGNORED;
	return 0;
}

/*
 * CMD's task becomes watched inside its exec: begin_new_exec() renames the
 * task right after it has switched on perf's own enable_on_exec events. What
 * bpfperf did in that task before is not CMD's.
 */
SEC("raw_tp/task_rename")
int BPF_PROG(follow_exec)
{
	__u32 tid = (__u32)bpf_get_current_pid_tgid();
	__u8 *state;

	if (hide_cmd && tid == hidden_tgid)
		hidden_tgid = 0;
	if (!filter_tasks)
		return 0;
	state = task_state(tid);
	if (state && *state == WIRE_TASK_ON_EXEC)
		*state = WIRE_TASK_WATCHED;
	return 0;
}

char LICENSE[] SEC("license") = "Dual BSD/GPL";
