// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* The NUMA balancing events of sched:* on raw tracepoints. */
#include <linux/bpf.h>
#include "vmlinux.h"
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>
#include <bpf/bpf_core_read.h>

#include "emit.bpf.h"

#define COMM_LEN 16

const volatile __u16 id_sched_move_numa = 0;
const volatile __u16 id_sched_stick_numa = 0;
const volatile __u16 id_sched_swap_numa = 0;
const volatile __u16 id_sched_skip_cpuset_numa = 0;
const volatile __u16 id_sched_skip_vma_numa = 0;

/* Bytes of a nodemask_t: 8 for each 64 of MAX_NUMNODES (at most 1024). */
const volatile __u32 nodemask_sz = 8;

/* Node of each CPU, from sysfs: the value of cpu_to_node() in the kernel. */
const volatile __s16 node_of_cpu[WIRE_MAX_CPUS] = {};

static __always_inline __s32 cpu_node(__s32 cpu)
{
	__u64 i = (__u32)cpu;

	/*
	 * The index stays in one register from the check to the access, or old verifiers (5.10)
	 * lose the bound.
	 */
	barrier_var(i);
	return i < WIRE_MAX_CPUS ? node_of_cpu[i] : -1;
}

/* Follows task_numa_group_id() of the kernel. */
static __always_inline __s32 numa_group_id(struct task_struct *p)
{
	struct numa_group *group;

	if (!bpf_core_field_exists(p->numa_group))
		return 0;
	group = p->numa_group;
	return group ? BPF_CORE_READ(group, gid) : 0;
}

struct numa_side {
	__s32 pid, tgid, ngid, cpu, nid;
};

static __always_inline void fill_side(struct numa_side *s, struct task_struct *p, __s32 cpu)
{
	s->pid = p ? p->pid : 0;
	s->tgid = p ? p->tgid : 0;
	s->ngid = p ? numa_group_id(p) : 0;
	s->cpu = cpu;
	s->nid = cpu_node(cpu);
}

SEC("tp_btf/sched_move_numa")
int BPF_PROG(raw_sched_move_numa, struct task_struct *p, int src_cpu, int dst_cpu)
{
	struct {
		struct wire_entry head;
		struct numa_side src;
		__s32 dst_cpu, dst_nid;
	} * e;
	struct slot s;

	if (!wanted(&s))
		return 0;
	e = reserve(&s);
	if (!e)
		return 0;
	fill_side(&e->src, p, src_cpu);
	e->dst_cpu = dst_cpu;
	e->dst_nid = cpu_node(dst_cpu);
	commit(ctx, &s, id_sched_move_numa, sizeof(*e));
	return 0;
}

#define PAIR_EVENT(name)                                                                           \
	SEC("tp_btf/" #name)                                                                       \
	int BPF_PROG(raw_##name, struct task_struct *src, int src_cpu, struct task_struct *dst,    \
		     int dst_cpu)                                                                  \
	{                                                                                          \
		struct {                                                                           \
			struct wire_entry head;                                                    \
			struct numa_side src, dst;                                                 \
		} * e;                                                                             \
		struct slot s;                                                                     \
                                                                                                   \
		if (!wanted(&s))                                                                   \
			return 0;                                                                  \
		e = reserve(&s);                                                                   \
		if (!e)                                                                            \
			return 0;                                                                  \
		fill_side(&e->src, src, src_cpu);                                                  \
		fill_side(&e->dst, dst, dst_cpu);                                                  \
		commit(ctx, &s, id_##name, sizeof(*e));                                            \
		return 0;                                                                          \
	}

PAIR_EVENT(sched_stick_numa)
PAIR_EVENT(sched_swap_numa)

SEC("tp_btf/sched_skip_cpuset_numa")
int BPF_PROG(raw_sched_skip_cpuset_numa, struct task_struct *p, void *nodemask)
{
	struct {
		struct wire_entry head;
		char comm[COMM_LEN];
		__s32 pid, tgid, ngid;
		__u64 mem_allowed[16];
	} * e;
	struct slot s;
	__u32 sz = nodemask_sz;

	if (!wanted(&s))
		return 0;
	if (sz > sizeof(e->mem_allowed))
		sz = sizeof(e->mem_allowed);
	e = reserve(&s);
	if (!e)
		return 0;
	clear_fields(e, e->mem_allowed);
	bpf_probe_read_kernel(e->comm, sizeof(e->comm), p->comm);
	e->pid = p->pid;
	e->tgid = p->tgid;
	e->ngid = numa_group_id(p);
	bpf_probe_read_kernel(e->mem_allowed, sz, nodemask);
	commit(ctx, &s, id_sched_skip_cpuset_numa,
	       __builtin_offsetof(typeof(*e), mem_allowed) + sz);
	return 0;
}

SEC("tp_btf/sched_skip_vma_numa")
int BPF_PROG(raw_sched_skip_vma_numa, struct mm_struct *mm, struct vm_area_struct *vma, int reason)
{
	struct {
		struct wire_entry head;
		__u64 numa_scan_offset, vm_start, vm_end;
		__s32 reason;
	} * e;
	struct slot s;

	if (!wanted(&s))
		return 0;
	e = reserve(&s);
	if (!e)
		return 0;
	clear_fields(e, e + 1);
	e->numa_scan_offset = mm->numa_scan_offset;
	e->vm_start = vma->vm_start;
	e->vm_end = vma->vm_end;
	e->reason = reason;
	commit(ctx, &s, id_sched_skip_vma_numa, sizeof(*e));
	return 0;
}

char LICENSE[] SEC("license") = "Dual BSD/GPL";
