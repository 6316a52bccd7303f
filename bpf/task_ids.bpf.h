/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Ids of tasks as /proc and the kernel's records of processes have them for bpfperf: those of its
 * own pid namespace. The helper and the members of task_struct have the initial namespace's.
 */
#ifndef BPFPERF_TASK_IDS_BPF_H
#define BPFPERF_TASK_IDS_BPF_H

#include <bpf/bpf_core_read.h>

#include "knobs.bpf.h"

/* Limit of the kernel (MAX_PID_NS_LEVEL). */
#define PID_NS_LEVELS 32
/* The id of a task that is not in bpfperf's pid namespace. */
#define TASK_OUTSIDE (~0u)
/* Index in signal_struct.pids (enum pid_type, 4.19). */
#define PIDS_TGID 1

struct ns_common___ids {
	unsigned int inum;
} __attribute__((preserve_access_index));

struct pid_namespace___ids {
	struct ns_common___ids ns;
} __attribute__((preserve_access_index));

struct upid___ids {
	int nr;
	struct pid_namespace___ids *ns;
} __attribute__((preserve_access_index));

struct pid___ids {
	unsigned int level;
	struct upid___ids numbers[1];
} __attribute__((preserve_access_index));

struct signal_struct___ids {
	struct pid___ids *pids[4];
} __attribute__((preserve_access_index));

struct task_struct___ids {
	int pid, tgid;
	struct pid___ids *thread_pid;
	struct signal_struct___ids *signal;
} __attribute__((preserve_access_index));

/* The id in bpfperf's namespace, searched from the innermost up: most tasks are in that one. */
static __noinline __u32 pid_in_ns(struct pid___ids *pid)
{
	__u32 level = pid ? BPF_CORE_READ(pid, level) : 0, i;

	for (i = 0; i < PID_NS_LEVELS && pid && level; i++, level--) {
		struct upid___ids *nr = (void *)pid + bpf_core_field_offset(pid->numbers) +
					level * bpf_core_type_size(struct upid___ids);

		if (BPF_CORE_READ(nr, ns, ns.inum) == pid_ns_inum)
			return (__u32)BPF_CORE_READ(nr, nr);
	}
	return TASK_OUTSIDE;
}

/* Thread id of a task. */
static __always_inline __u32 task_tid(void *task)
{
	struct task_struct___ids *t = task;

	return pid_ns_inum ? pid_in_ns(BPF_CORE_READ(t, thread_pid)) : (__u32)BPF_CORE_READ(t, pid);
}

/* Thread id of a task whose type the verifier knows: the initial namespace's is a plain load. */
static __always_inline __u32 typed_task_tid(void *task)
{
	struct task_struct___ids *t = task;

	return pid_ns_inum ? task_tid(t) : (__u32)t->pid;
}

/* Process id of a task. */
static __always_inline __u32 task_tgid(void *task)
{
	struct task_struct___ids *t = task;

	return pid_ns_inum ? pid_in_ns(BPF_CORE_READ(t, signal, pids[PIDS_TGID]))
			   : (__u32)BPF_CORE_READ(t, tgid);
}

/* Process and thread id of the current task, as bpf_get_current_pid_tgid() has them. */
static __always_inline __u64 current_ids(void)
{
	void *task;

	if (!pid_ns_inum)
		return bpf_get_current_pid_tgid();
	task = (void *)bpf_get_current_task();
	return (__u64)task_tgid(task) << 32 | task_tid(task);
}

#endif
