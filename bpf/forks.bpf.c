// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * A new process begins with its parent's mappings: so it is unwound from its
 * first sample on. Until it calls exec, which its self_exec_id tells.
 */
#include <linux/bpf.h>
#include "vmlinux.h"
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>
#include <bpf/bpf_core_read.h>

#include "maps.bpf.h"
#include "user_stack.bpf.h"

/* Runs in the parent, before the child can run. */
SEC("raw_tp/task_newtask")
int BPF_PROG(follow_mappings, struct task_struct *task)
{
	__u32 parent = bpf_get_current_pid_tgid() >> 32, child = (__u32)BPF_CORE_READ(task, tgid);
	struct unwind_proc *proc, copy;

	if (parent == child)
		return 0;
	proc = bpf_map_lookup_elem(&unwind_procs, &parent);
	if (!proc || !proc->set)
		return 0;
	copy = *proc;
	bpf_map_update_elem(&unwind_procs, &child, &copy, BPF_ANY);
	return 0;
}

char LICENSE[] SEC("license") = "Dual BSD/GPL";
