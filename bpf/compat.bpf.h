/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * All differences between kernels that CO-RE has to bridge, each with the version and commit that
 * introduced it.
 */
#ifndef BPFPERF_COMPAT_BPF_H
#define BPFPERF_COMPAT_BPF_H

#include <bpf/bpf_core_read.h>

#define COMPAT_FLAVOUR __attribute__((preserve_access_index))

/* Renamed in 5.14, from `volatile long state`: 2f064a59a11f (sched: Change task_struct::state). */
struct task_struct___pre_5_14 {
	long state;
} COMPAT_FLAVOUR;

/*
 * Moved in 5.16, from task_struct itself (x86, arm64): bcf9033e5449 (sched: move CPU field back
 * into thread_info if THREAD_INFO_IN_TASK=y).
 */
struct task_struct___pre_5_16 {
	__u32 cpu;
} COMPAT_FLAVOUR;

/*
 * Added in 5.11: 3ca1032ab7ab (bpf: Implement get_current_task_btf and RET_PTR_TO_BTF_ID). Before,
 * the current task could only be read by bpf_probe_read_kernel().
 */
static __always_inline _Bool compat_has_current_task_btf(void)
{
	return bpf_core_enum_value_exists(enum bpf_func_id, BPF_FUNC_get_current_task_btf);
}

/* Reads a member of the current task. */
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

/* For programs on raw tracepoints that need no BTF: the verifier does not know the type of p. */
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

struct task_struct___smp {
	int on_cpu;
} COMPAT_FLAVOUR;

/* Is the task on a CPU? On kernels for one CPU the member is missing, and no other task runs. */
static __always_inline _Bool compat_is_running(struct task_struct *p)
{
	struct task_struct___smp *smp = (void *)p;

	if (!bpf_core_field_exists(smp->on_cpu))
		return (void *)p == (void *)bpf_get_current_task();
	return smp->on_cpu;
}

/*
 * Added in 5.18: fa2c3254d7cf (sched/tracing: Don't re-read p->state when emitting sched_switch
 * event). The fourth argument is the state that prev was switched out in: by the time a program
 * runs, a waker may have changed prev's own.
 */
typedef void (*btf_trace_sched_switch___5_18)(void *, _Bool, struct task_struct *,
					      struct task_struct *, unsigned int);

static __always_inline _Bool compat_switch_has_prev_state(void)
{
	return bpf_core_type_exists(btf_trace_sched_switch___5_18);
}

/*
 * Returns the registers with which the current task entered the kernel. Added in 5.15: dd6e10fbd9fb
 * (bpf: Add bpf_task_pt_regs() helper); NULL before.
 */
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
 * Can a task be preempted inside the calling program? Since 7.0 raw tracepoints run their programs
 * with migration disabled in place of preemption.
 */
static __always_inline _Bool compat_is_preemptible(void)
{
	struct task_struct___migration *task = (void *)bpf_get_current_task();

	return bpf_core_field_exists(task->migration_disabled) &&
	       BPF_CORE_READ(task, migration_disabled);
}

#endif
