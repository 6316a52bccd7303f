// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* The sched:* events of kernel threads' work, on raw tracepoints. */
#include <linux/bpf.h>
#include "vmlinux.h"
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>

#include "emit.bpf.h"

const volatile __u16 id_sched_kthread_work_queue_work = 0;
const volatile __u16 id_sched_kthread_work_execute_start = 0;
const volatile __u16 id_sched_kthread_work_execute_end = 0;

/* An entry of two or three pointers: 8-byte words. */
struct ptr_entry {
	struct wire_entry head;
	__u64 ptr[3];
};

SEC("tp_btf/sched_kthread_work_queue_work")
int BPF_PROG(raw_sched_kthread_work_queue_work, struct kthread_worker *worker,
	     struct kthread_work *work)
{
	struct ptr_entry *e;
	struct slot s;

	if (!wanted(&s))
		return 0;
	e = reserve(&s);
	if (!e)
		return 0;
	e->ptr[0] = (__u64)work;
	e->ptr[1] = (__u64)work->func;
	e->ptr[2] = (__u64)worker;
	commit(ctx, &s, id_sched_kthread_work_queue_work, sizeof(*e));
	return 0;
}

SEC("tp_btf/sched_kthread_work_execute_start")
int BPF_PROG(raw_sched_kthread_work_execute_start, struct kthread_work *work)
{
	struct ptr_entry *e;
	struct slot s;

	if (!wanted(&s))
		return 0;
	e = reserve(&s);
	if (!e)
		return 0;
	e->ptr[0] = (__u64)work;
	e->ptr[1] = (__u64)work->func;
	commit(ctx, &s, id_sched_kthread_work_execute_start, sizeof(*e) - sizeof(e->ptr[2]));
	return 0;
}

/*
 * The function is an argument, because the work itself may be freed. The program is untyped,
 * because tp_btf programs may not read an argument that points to a function.
 */
SEC("raw_tp/sched_kthread_work_execute_end")
int BPF_PROG(raw_sched_kthread_work_execute_end)
{
	struct ptr_entry *e;
	struct slot s;

	if (!wanted(&s))
		return 0;
	e = reserve(&s);
	if (!e)
		return 0;
	e->ptr[0] = ctx[0];
	e->ptr[1] = ctx[1];
	commit(ctx, &s, id_sched_kthread_work_execute_end, sizeof(*e) - sizeof(e->ptr[2]));
	return 0;
}

char LICENSE[] SEC("license") = "Dual BSD/GPL";
