// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * Takes a call stack at each overflow of a sampling perf event, and at each period of a tracepoint.
 * Needs no BTF. One instance of a program is loaded per event.
 */
#include <linux/bpf.h>
#include <linux/bpf_perf_event.h>
#include <bpf/bpf_helpers.h>

#include "probe.bpf.h"
#include "running.bpf.h"

#define SIDE_SZ (WIRE_STACK_MAX * sizeof(__u64))

/* The largest size of a record. */
#define RECORD_SZ (__builtin_offsetof(struct wire_stack, addrs) + stack_kern_sz + stack_user_sz)

/* Events by index; the loader sets max_entries to their number. */
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct wire_stack_event);
} stack_events SEC(".maps");

/*
 * Counts by event. Programs of tracepoints do not nest on a CPU, so plain loads and stores suffice.
 */
struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct wire_stack_count);
} stack_counts SEC(".maps");

/* regs: address of the registers of the interrupted context; 0: none was interrupted. */
static __always_inline void send_sample(void *ctx, struct slot *s, __u32 event, __u64 period,
					__u64 regs)
{
	struct wire_stack *rec = (void *)reserve_large_rec(ctx, s, RECORD_SZ);
	__u64 sz = 0;
	long n;

	if (!rec)
		return;
	rec->tid = s->tid;
	rec->period = period;
	rec->event = (__u16)event;
	rec->kern_sz = 0;
	rec->user_sz = 0;
	rec->user_end = 0;
	if (stack_kern_sz) {
		n = bpf_get_stack(ctx, rec->addrs, stack_kern_sz, 0);
		rec->kern_sz = (__s16)n;
		sz = callstack_bytes(n, SIDE_SZ);
	}
	if (stack_user_sz) {
		n = take_user_stack(ctx, s->level, regs, (void *)rec->addrs + sz, stack_user_sz,
				    &rec->user_end);
		rec->user_sz = (__s16)n;
		sz += callstack_bytes(n, SIDE_SZ);
	}
	commit_rec(ctx, s, WIRE_SAMPLE, __builtin_offsetof(struct wire_stack, addrs) + sz);
}

/*
 * Notes what runs on this CPU, as a switch does: of a thread that has been running since before
 * the switches were followed, or that became a target meanwhile, no switch tells.
 */
static __always_inline void resync_running(_Bool runs)
{
	if (weigh_latency && active)
		flag_running(bpf_get_smp_processor_id(), runs);
}

/*
 * Returns the sample's share of wall-clock time: its CPU time, divided among the threads that run
 * now. The remainder of the division is CPU time of the next sample, so that none is lost.
 */
static __always_inline __u64 wall_clock_share(struct wire_stack_count *c, __u64 period)
{
	__u64 cnt = running_cnt(), share;

	period += c->undivided;
	share = period / cnt;
	c->undivided = period - share * cnt;
	return share;
}

SEC("perf_event")
int take_stack(struct bpf_perf_event_data *ctx)
{
	__u32 event = instance_index();
	struct wire_stack_count *c = bpf_map_lookup_elem(&stack_counts, &event);
	struct wire_stack_event *ev = bpf_map_lookup_elem(&stack_events, &event);
	__u64 regs = 0, period = ctx->sample_period;
	struct slot s;

	if (!c || !ev)
		return 0;
	/*
	 * Counted for any task: ticks of the clock beyond this count were lost (perf/lost_ticks.h).
	 */
	c->cnt += period;
	if (ev->skip_idle && !bpf_get_current_pid_tgid()) {
		c->idle += period;
		resync_running(0);
		return 0;
	}
	if (!wanted(&s)) {
		resync_running(0);
		return 0;
	}
	resync_running(1);
	if (weigh_latency)
		period = wall_clock_share(c, period);
	/*
	 * The kernel's type of it is struct bpf_perf_event_data_kern, which begins with a pointer.
	 */
	if (!UNWIND_OFF)
		bpf_probe_read_kernel(&regs, sizeof(regs), ctx);
	send_sample(ctx, &s, event, period, regs);
	return 0;
}

/*
 * Returns the next period, from the events of the last delta_ns: moves an eighth of the way, like
 * the kernel's own perf_adjust_period().
 */
static __always_inline __u64 adjust(__u64 period, __u64 cnt, __u64 delta_ns, __u64 interval_ns)
{
	/* The product is below 2^64: an interval is a second at most. */
	__u64 want = (cnt < 1ull << 33 ? cnt : 1ull << 33) * interval_ns / (delta_ns | 1);

	if (want >= period)
		return period + (want - period + 7) / 8;
	period -= (period - want + 7) / 8;
	return period ? period : 1;
}

/* Returns the number of events for which a sample now due stands; 0: none is due. */
static __always_inline __u64 due(const struct wire_stack_event *ev, struct wire_stack_count *c,
				 __u64 weight)
{
	__u64 cnt = c->cnt + weight, now;

	if (ev->period) {
		c->cnt = cnt % ev->period;
		return cnt - c->cnt;
	}
	if (cnt < c->period) {
		c->cnt = cnt;
		return 0;
	}
	now = bpf_ktime_get_ns();
	c->period = adjust(c->period ? c->period : 1, cnt, now - c->last_ns, ev->interval_ns);
	c->last_ns = now;
	c->cnt = 0;
	return cnt;
}

SEC("tracepoint")
int take_stack_tp(void *ctx)
{
	__u32 event = instance_index();
	struct wire_stack_event *ev;
	struct wire_stack_count *c;
	__u64 weight = 1;
	struct slot s;

	if (!wanted(&s))
		return 1;
	ev = bpf_map_lookup_elem(&stack_events, &event);
	c = bpf_map_lookup_elem(&stack_counts, &event);
	if (!ev || !c)
		return 1;
	if (ev->weight_off)
		bpf_probe_read_kernel(&weight, sizeof(weight), ctx + ev->weight_off);
	weight = due(ev, c, weight);
	if (weight)
		send_sample(ctx, &s, event, weight, 0);
	/* 0 would hide the event from every other perf user of the machine. */
	return 1;
}

/* How much a hit of a probe counts: the value of an argument, by code that the loader generates. */
static __always_inline __u64 weight_point(void *ctx, __u64 event)
{
	__u64 weight;

	asm volatile(
		"r2 = %[event]\n"
		"r3 = %[ctx]\n"
		"r0 = %[placeholder]\n"
		"%[weight] = r0\n"
		: [weight] "=r"(weight)
		: [event] "r"(event), [ctx] "r"(ctx), [placeholder] "i"(WIRE_WEIGHT_PLACEHOLDER)
		: "r0", "r1", "r2", "r3", "r4", "r5", "memory");
	return weight;
}

static __always_inline int take_stack_at(void *ctx)
{
	__u32 event = site_index(ctx);
	struct wire_stack_event *ev = bpf_map_lookup_elem(&stack_events, &event);
	struct wire_stack_count *c = bpf_map_lookup_elem(&stack_counts, &event);
	__u64 weight;
	struct slot s;

	if (!ev || !c || !wanted(&s) || !enter(s.cpu))
		return 0;
	weight = due(ev, c, weight_point(ctx, event));
	if (weight)
		send_sample(ctx, &s, event, weight, 0);
	leave(s.cpu);
	return 0;
}

SEC("kprobe")
int take_stack_uprobe(void *ctx)
{
	return take_stack_at(ctx);
}

SEC("kprobe")
int take_stack_kprobe(void *ctx)
{
	return take_stack_at(ctx);
}

char LICENSE[] SEC("license") = "Dual BSD/GPL";
