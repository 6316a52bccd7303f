// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * Keeps the counts of each task, for --counters-by=task: updates them at each switch, and starts
 * from 0 for each new thread.
 */
#include <linux/bpf.h>
#include "vmlinux.h"
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>
#include <bpf/bpf_core_read.h>

#include "compat.bpf.h"
#include "counters.bpf.h"
#include "filter.bpf.h"

static __always_inline _Bool counts_for(__u32 tid)
{
	__u8 *state;

	if (!filter_tasks)
		return 1;
	state = task_state(tid);
	return state && *state & WIRE_TASK_WATCHED;
}

/* Adds the growth since the task was switched in to its sum. */
static __always_inline void charge(struct counter_cpu *state)
{
	struct counter_set *sum = bpf_map_lookup_elem(&counter_tasks, &state->owner);
	__u32 owner = state->owner, i;

	if (sum) {
		add_growth(sum->c, state->now.c, state->since.c);
		return;
	}
	for_each_counter(i)
	{
		state->since.c[i].value = state->now.c[i].value - state->since.c[i].value;
		state->since.c[i].enabled_ns =
			state->now.c[i].enabled_ns - state->since.c[i].enabled_ns;
		state->since.c[i].running_ns =
			state->now.c[i].running_ns - state->since.c[i].running_ns;
	}
	bpf_map_update_elem(&counter_tasks, &owner, &state->since, BPF_ANY);
}

/* The part that all threads of a process share; vmlinux.h lacks the member. */
struct signal_struct___threads {
	int nr_threads;
} __attribute__((preserve_access_index));

struct task_struct___threads {
	struct signal_struct___threads *signal;
} __attribute__((preserve_access_index));

/* A first thread that ends before its siblings: one of them may call exec and take over its id. */
static __always_inline _Bool may_be_followed(struct task_struct *task)
{
	struct task_struct___threads *of_process = (void *)task;

	return BPF_CORE_READ(task, pid) == BPF_CORE_READ(task, tgid) &&
	       BPF_CORE_READ(of_process, signal, nr_threads) > 1;
}

/*
 * Deletes the entry of a thread that has ended, so that only live threads fill the table. Deferred
 * to the next switch, because the thread's last record may come after this program.
 */
static __always_inline void forget_ended(struct counter_cpu *state, struct task_struct *prev)
{
	__u32 ended = state->ended;

	if (ended)
		bpf_map_delete_elem(&counter_tasks, &ended);
	state->ended = 0;
	if (compat_probe_task_state(prev) & WIRE_STATE_DEAD && !may_be_followed(prev))
		state->ended = task_tid(prev);
}

SEC("raw_tp/sched_switch")
int follow_switch(struct bpf_raw_tracepoint_args *ctx)
{
	__u32 prev = task_tid((void *)ctx->args[1]);
	__u32 next = task_tid((void *)ctx->args[2]);
	__u32 cpu = bpf_get_smp_processor_id(), i;
	struct counter_cpu *state = bpf_map_lookup_elem(&counter_cpus, &cpu);

	if (!state)
		return 0;
	forget_ended(state, (struct task_struct *)ctx->args[1]);
	if (!active) {
		state->known = 0;
		return 0;
	}
	/*
	 * The counters are read at switches between tasks that are not counted, too: the next
	 * switch, to a task that is counted, may be one that the kernel does not trace.
	 */
	read_counters(state->now.c, cpu);
	state->left = counter_owner(prev, cpu);
	state->left_switches = switch_count((void *)ctx->args[1]);
	if (state->known && counts_for(prev)) {
		set_running(state, state->left);
		charge(state);
	}
	for_each_counter(i) state->since.c[i] = state->now.c[i];
	state->owner = counter_owner(next, cpu);
	state->known = 1;
	return 0;
}

/* The id may have belonged to another thread before. */
SEC("raw_tp/task_newtask")
int follow_counted(struct bpf_raw_tracepoint_args *ctx)
{
	__u32 tid = task_tid((void *)ctx->args[0]);

	bpf_map_delete_elem(&counter_tasks, &tid);
	return 0;
}

char LICENSE[] SEC("license") = "Dual BSD/GPL";
