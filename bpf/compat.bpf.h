/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Every difference between kernels that CO-RE has to bridge, each with the version that made it needed. */
#ifndef BPFPERF_COMPAT_BPF_H
#define BPFPERF_COMPAT_BPF_H

#include <bpf/bpf_core_read.h>

#define COMPAT_FLAVOUR __attribute__((preserve_access_index))

/* Before 5.14 task_struct.__state was `volatile long state`. */
struct task_struct___pre_5_14 {
	long state;
} COMPAT_FLAVOUR;

/* Before 5.16 a task's CPU was in task_struct itself (x86, arm64). */
struct task_struct___pre_5_16 {
	__u32 cpu;
} COMPAT_FLAVOUR;

/* Before 5.11 the current task could only be read by bpf_probe_read_kernel(). */
static __always_inline _Bool compat_has_current_task_btf(void)
{
	return bpf_core_enum_value_exists(enum bpf_func_id, BPF_FUNC_get_current_task_btf);
}

/* A member of the current task. */
#define COMPAT_CURRENT(member)                                                                     \
	(compat_has_current_task_btf()                                                             \
		 ? bpf_get_current_task_btf()->member                                              \
		 : BPF_CORE_READ((struct task_struct *)bpf_get_current_task(), member))

static __always_inline __u32 compat_task_state(struct task_struct *p)
{
	struct task_struct___pre_5_14 *old = (void *)p;

	if (bpf_core_field_exists(p->__state))
		return p->__state;
	return (__u32)BPF_CORE_READ(old, state);
}

/* The same where the verifier does not know what p is: in programs on raw tracepoints that need no BTF. */
static __always_inline __u32 compat_probe_task_state(struct task_struct *p)
{
	struct task_struct___pre_5_14 *old = (void *)p;

	if (bpf_core_field_exists(p->__state))
		return BPF_CORE_READ(p, __state);
	return (__u32)BPF_CORE_READ(old, state);
}

static __always_inline __s32 compat_task_cpu(struct task_struct *p)
{
	struct task_struct___pre_5_16 *old = (void *)p;

	if (bpf_core_field_exists(p->thread_info.cpu))
		return (__s32)p->thread_info.cpu;
	return (__s32)BPF_CORE_READ(old, cpu);
}

/*
 * 5.18 gave sched_switch the state that prev was switched out in as a fourth
 * argument: by the time a program runs, a waker may have changed prev's own.
 */
typedef void (*btf_trace_sched_switch___5_18)(void *, _Bool, struct task_struct *,
					      struct task_struct *, unsigned int);

static __always_inline _Bool compat_switch_has_prev_state(void)
{
	return bpf_core_type_exists(btf_trace_sched_switch___5_18);
}

/* The registers that the current task entered the kernel with; NULL before 5.15. */
static __always_inline struct pt_regs *compat_current_regs(void)
{
	if (!bpf_core_enum_value_exists(enum bpf_func_id, BPF_FUNC_task_pt_regs))
		return NULL;
	return (struct pt_regs *)bpf_task_pt_regs(bpf_get_current_task_btf());
}

struct task_struct___migration {
	__u16 migration_disabled;
} COMPAT_FLAVOUR;

/*
 * Can tasks be preempted inside programs like the one that asks? Since 7.0
 * raw tracepoints run theirs with migration switched off, no longer preemption.
 */
static __always_inline _Bool compat_is_preemptible(void)
{
	struct task_struct___migration *task = (void *)bpf_get_current_task();

	return bpf_core_field_exists(task->migration_disabled) &&
	       BPF_CORE_READ(task, migration_disabled);
}

#endif
