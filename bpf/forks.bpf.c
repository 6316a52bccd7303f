// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * Copies the parent's mappings to a new process, so that its stacks are unwound from its first
 * sample on. The copy is valid until the process calls exec, which changes its self_exec_id; it is
 * deleted there.
 */
#include <linux/bpf.h>
#include "vmlinux.h"
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>
#include <bpf/bpf_core_read.h>

#include "filter.bpf.h"
#include "maps.bpf.h"
#include "user_stack.bpf.h"

/* Runs in the parent, before the child can run. */
SEC("raw_tp/task_newtask")
int BPF_PROG(follow_mappings, struct task_struct *task)
{
	__u32 parent = current_ids() >> 32, child = task_tgid(task);
	struct unwind_proc *proc, copy;

	if (parent == child)
		return 0;
	proc = bpf_map_lookup_elem(&unwind_procs, &parent);
	if (!proc || !proc->set) {
		/* A process that has ended had this id: its entry stays until the next sweep. */
		bpf_map_delete_elem(&unwind_procs, &child);
		return 0;
	}
	copy = *proc;
	bpf_map_update_elem(&unwind_procs, &child, &copy, BPF_ANY);
	return 0;
}

/* Is there a table of the file that the task runs, which walks find by the tree of mappings? */
static __always_inline _Bool is_known_program(struct task_struct *task)
{
	struct task_struct___unwind_mm *t = (void *)task;
	__u32 key = UNWIND_EXEC_STATE;
	struct unwind_state *s = bpf_map_lookup_elem(&unwind_states, &key);

	if (!UNWIND_HAS_TREE || !s)
		return 0;
	s->entry = (__u64)BPF_CORE_READ(t, mm, exe_file);
	return !unwind_identify(key) && bpf_map_lookup_elem(&unwind_file_ids, &s->file);
}

/*
 * Deletes the entry of the program before. A process watched by its thread will surely be sampled:
 * request its tables now, after the program is mapped and before its libraries are.
 */
SEC("raw_tp/sched_process_exec")
int BPF_PROG(follow_programs, struct task_struct *task)
{
	__u64 id = current_ids();
	__u8 *state = filter_tasks ? task_state((__u32)id) : NULL;
	struct unwind_proc proc = { .gap_ns = UNWIND_FIRST_GAP_NS };
	struct unwind_ask ask = { .tgid = id >> 32 };

	bpf_map_delete_elem(&unwind_procs, &ask.tgid);
	if (!active || !state || !(*state & WIRE_TASK_WATCHED))
		return 0;
	if (is_known_program(task))
		return 0;
	ask.exec_id = proc.exec_id =
		BPF_CORE_READ((struct task_struct___unwind *)task, self_exec_id);
	proc.asked_ns = bpf_ktime_get_ns();
	bpf_map_update_elem(&unwind_procs, &ask.tgid, &proc, BPF_ANY);
	if (bpf_ringbuf_output(&unwind_asks, &ask, sizeof(ask), 0))
		unwind_count(UNWIND_CNT_ASK_LOST, 1);
	return 0;
}

char LICENSE[] SEC("license") = "Dual BSD/GPL";
