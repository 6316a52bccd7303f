// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* Notes at each switch of a CPU whether a thread of the target runs there (running.bpf.h). */
#include <linux/bpf.h>
#include "vmlinux.h"
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>

#include "other_task.bpf.h"
#include "running.bpf.h"

/*
 * A CPU that goes offline switches to its idle task last. The program also runs while the session
 * is inactive, so that the flags are right when it becomes active.
 */
SEC("tp_btf/sched_switch")
int BPF_PROG(running_switch, _Bool preempt, struct task_struct *prev, struct task_struct *next)
{
	__u32 cpu = bpf_get_smp_processor_id();
	struct slot s;

	flag_running(cpu, is_wanted_task(next, cpu, &s));
	return 0;
}

char LICENSE[] SEC("license") = "Dual BSD/GPL";
