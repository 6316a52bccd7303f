// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * The floor: the least a BPF program can do that still delivers one 64-byte
 * record for each system call. It looks at nothing and asks for nothing it
 * does not need to know the record's task.
 */
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>

struct {
	__uint(type, BPF_MAP_TYPE_PERF_EVENT_ARRAY);
	__uint(key_size, sizeof(__u32));
	__uint(value_size, sizeof(__u32));
} rings SEC(".maps");

struct floor_record {
	__u64 pid_tgid;
	__u64 nr;
	__u64 rest[6];
};

SEC("raw_tp/sys_enter")
int floor_sys_enter(struct bpf_raw_tracepoint_args *ctx)
{
	struct floor_record rec = {};

	rec.pid_tgid = bpf_get_current_pid_tgid();
	rec.nr = ctx->args[1];
	bpf_perf_event_output(ctx, &rings, BPF_F_CURRENT_CPU, &rec, sizeof(rec));
	return 0;
}

/* Sends 64 bytes, too, with the time and the call's arguments of a trace's record. */
struct timed_record {
	__u64 pid_tgid;
	__u64 nr;
	__u64 time_ns;
	__u64 args[5];
};

SEC("raw_tp/sys_enter")
int timed_sys_enter(struct bpf_raw_tracepoint_args *ctx)
{
	struct timed_record rec;

	rec.pid_tgid = bpf_get_current_pid_tgid();
	rec.nr = ctx->args[1];
	rec.time_ns = bpf_ktime_get_ns();
	/* Five words of the registers: which ones they are does not change what they cost. */
	bpf_probe_read_kernel(rec.args, sizeof(rec.args), (void *)ctx->args[0]);
	bpf_perf_event_output(ctx, &rings, BPF_F_CURRENT_CPU, &rec, sizeof(rec));
	return 0;
}

/* Measures the cost of an attachment alone. */
SEC("raw_tp/sys_enter")
int empty_sys_enter(struct bpf_raw_tracepoint_args *ctx)
{
	return 0;
}

/* With the one above: of the two attachments of a pair of events. */
SEC("raw_tp/sys_exit")
int empty_sys_exit(struct bpf_raw_tracepoint_args *ctx)
{
	return 0;
}

char LICENSE[] SEC("license") = "Dual BSD/GPL";
