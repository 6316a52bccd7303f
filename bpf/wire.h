/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * The record layouts and enums that BPF programs and the loader share: the
 * only header both sides include. Types come from the includer's side
 * (vmlinux.h or linux/types.h).
 *
 * Every ring record is PERF_RECORD_SAMPLE with PERF_SAMPLE_RAW:
 *
 *     struct perf_event_header   8 bytes
 *     u32 raw size
 *     one of the structs below   (begins 4 bytes off an 8-byte boundary)
 *
 * The CPU is the ring's. The time is in the record: PERF_SAMPLE_TIME, which the
 * kernel would fill in, costs 27 ns more than bpf_ktime_get_ns() does.
 */
#ifndef BPFPERF_WIRE_H
#define BPFPERF_WIRE_H

/* Common head of every tracepoint record, as tracefs describes it. */
struct wire_entry {
	__u16 type; /* tracepoint id */
	/* BPF cannot see the two below on all kernels; both attach paths send 0. */
	__u8 flags;
	__u8 preempt_count;
	__s32 pid; /* thread id */
};

/* What every record begins with. */
struct wire_head {
	__u32 tgid; /* 4 bytes, so that what follows lies on an 8-byte boundary of the ring */
	__u64 time_ns; /* CLOCK_MONOTONIC */
} __attribute__((packed, aligned(4)));

/* A tracepoint record; the entry goes on as its tracefs format says. */
struct wire_tp {
	struct wire_head head;
	struct wire_entry entry;
} __attribute__((packed, aligned(4)));

/* What a classic tracepoint's program must know of its event, by attach cookie. */
struct wire_tp_info {
	__u16 id; /* tracepoint id */
	__u16 fixed_sz; /* bytes of the record before dynamic data */
	__u16 dyn_off; /* offset of the last __data_loc/__rel_loc word, 0: the record is fixed */
	__u16 dyn_rel; /* 1: that word is a __rel_loc */
};

/* The largest tracepoint record the kernel makes (PERF_MAX_TRACE_SIZE, 8192 since 5.16, 2048 before). */
#define WIRE_ENTRY_MAX 8192

/* A stack sample. addrs: kern_sz bytes of kernel, then user_sz bytes of user addresses, innermost first. */
#define WIRE_STACK_MAX 127
struct wire_stack {
	struct wire_head head;
	__u32 tid;
	__s16 kern_sz; /* bytes, or -errno of the capture */
	__s16 user_sz;
	__u64 period; /* events since the last sample of this counter: 1 clock tick, or the PMU's */
	__u64 addrs[2 * WIRE_STACK_MAX];
} __attribute__((packed, aligned(4)));

/* Per-CPU accounting, in a map the loader reads by mmap: produced = delivered + the rest. */
struct wire_cpu_stats {
	__u64 produced; /* records a program tried to send */
	__u64 lost_full; /* -ENOSPC: ring full */
	__u64 lost_nested; /* -EBUSY: output helper nested too deep */
	__u64 lost_no_ring; /* -ENOENT: no ring on this CPU */
	__u64 lost_other;
	__u64 watched; /* set by the loader: events on this CPU are wanted */
	__u64 pad[2]; /* one cache line per CPU */
};

/* Watched tasks: one byte per thread id, 64 to a map element. */
#define WIRE_TASKS_PER_ELEM 64
enum wire_task_state {
	WIRE_TASK_IGNORED = 0,
	WIRE_TASK_WATCHED = 1,
	WIRE_TASK_ON_EXEC = 2, /* becomes WATCHED when it calls exec */
};
struct wire_tasks {
	__u8 state[WIRE_TASKS_PER_ELEM];
};

#define WIRE_MAX_SYSCALLS 1024
#define WIRE_MAX_CPUS 1024

#endif
