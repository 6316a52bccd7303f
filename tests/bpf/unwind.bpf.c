// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* Walks of one process's user stacks, sent as they are: what tests/load/unwind.c looks at. */
#include <linux/bpf.h>
#include <linux/bpf_perf_event.h>
#include <bpf/bpf_helpers.h>

/* Bits of an offset in a page: mappings are found in the kernel's tree; 0: in the set. */
const volatile __u32 page_shift = 0;
#define UNWIND_PAGE_SHIFT page_shift
#include "unwind_walk.bpf.h"

const volatile __u32 target_tgid = 0;

struct {
	__uint(type, BPF_MAP_TYPE_RINGBUF);
	__uint(max_entries, 4 << 20);
} walks SEC(".maps");

__u64 refused_cnt = 0;

#if UNWIND_ARM64
static __always_inline void start(struct unwind_state *s, const struct user_pt_regs *regs)
{
	int i;

	for (i = 0; i < 31; i++)
		s->sample[i] = regs->regs[i];
	s->regs.pc = regs->pc;
	s->regs.sp = regs->sp;
	s->regs.fp = regs->regs[29];
	s->regs.base = regs->regs[19];
	s->regs.lr = regs->regs[30];
}

static __always_inline _Bool is_user(const struct user_pt_regs *regs)
{
	return !(regs->pstate & 0xf);
}
typedef struct user_pt_regs regs_t;
#else
static __always_inline void start(struct unwind_state *s, const struct pt_regs *regs)
{
	/* System V ABI, AMD64, figure 3.36. */
	s->sample[0] = regs->rax;
	s->sample[1] = regs->rdx;
	s->sample[2] = regs->rcx;
	s->sample[3] = regs->rbx;
	s->sample[4] = regs->rsi;
	s->sample[5] = regs->rdi;
	s->sample[6] = regs->rbp;
	s->sample[7] = regs->rsp;
	s->sample[8] = regs->r8;
	s->sample[9] = regs->r9;
	s->sample[10] = regs->r10;
	s->sample[11] = regs->r11;
	s->sample[12] = regs->r12;
	s->sample[13] = regs->r13;
	s->sample[14] = regs->r14;
	s->sample[15] = regs->r15;
	s->regs.pc = regs->rip;
	s->regs.sp = regs->rsp;
	s->regs.fp = regs->rbp;
	s->regs.base = regs->rbx;
	s->regs.lr = 0;
}

static __always_inline _Bool is_user(const struct pt_regs *regs)
{
	return regs->cs & 3;
}
typedef struct pt_regs regs_t;
#endif

SEC("perf_event")
int walk(struct bpf_perf_event_data *ctx)
{
	__u32 key = 0;
	struct unwind_state *s = bpf_map_lookup_elem(&unwind_states, &key);
	const regs_t *regs = (const void *)&ctx->regs;

	if (!s || bpf_get_current_pid_tgid() >> 32 != target_tgid || !is_user(regs))
		return 0;
	start(s, regs);
	s->set = !page_shift;
	s->max = UNWIND_FRAMES_MAX;
	unwind_walk(s, key);
	if (bpf_ringbuf_output(&walks, s, sizeof(*s), 0))
		__sync_fetch_and_add(&refused_cnt, 1);
	return 0;
}

char LICENSE[] SEC("license") = "Dual BSD/GPL";
