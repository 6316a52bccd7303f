/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * The user stack of the current task, from its current registers or from those it entered the
 * kernel with. The kernel takes it along frame pointers, or it is walked by tables
 * (unwind_walk.bpf.h). Walks request the tables they lack, and all walks are counted.
 */
#ifndef BPFPERF_USER_STACK_BPF_H
#define BPFPERF_USER_STACK_BPF_H

#include <bpf/bpf_helpers.h>
#include <bpf/bpf_core_read.h>

#include "errno.bpf.h"
#include "knobs.bpf.h"
#include "task_ids.bpf.h"
#include "unwind_wire.h"

#define UNWIND_OFF (unwind_mode == UNWIND_KERNEL)
#define UNWIND_NO_FP (unwind_mode == UNWIND_TABLES)
#define UNWIND_PAGE_SHIFT unwind_page_shift
#define UNWIND_INTERPRETERS 1
#include "unwind_walk.bpf.h"

_Static_assert(UNWIND_LEVELS == WIRE_LEVELS && UNWIND_FRAMES_MAX == WIRE_USER_MAX,
	       "both headers agree");

/* A ring of struct unwind_ask; the loader sets max_entries if stacks are walked. */
struct {
	__uint(type, BPF_MAP_TYPE_RINGBUF);
	__uint(max_entries, 4096);
} unwind_asks __weak SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, UNWIND_COUNTS);
	__type(key, __u32);
	__type(value, __u64);
} unwind_counts __weak SEC(".maps");

/* Minimum time between two requests for a process that have not been answered. */
#define UNWIND_FIRST_GAP_NS 20000000ull

#if UNWIND_ARM64
/* struct user_pt_regs: x0 to x30, sp, pc, pstate */
#define UNWIND_RAW_WORDS 34
static __always_inline _Bool unwind_is_user(const __u64 *raw)
{
	/* PSR_MODE_EL0t, and PSR_MODE32_BIT is clear */
	return !(raw[33] & 0x1f) && raw[32];
}

static __always_inline void unwind_take_regs(struct unwind_state *s)
{
	int i;

#pragma clang loop unroll(full)
	for (i = 0; i < 31; i++)
		s->sample[i] = s->raw[i];
	s->regs.pc = s->raw[32];
	s->regs.sp = s->raw[31];
	s->regs.fp = s->raw[29];
	s->regs.base = s->raw[19];
	s->regs.lr = s->raw[30] & ((1ull << 48) - 1);
}
#else
/* struct pt_regs of x86-64: r15 … ss */
#define UNWIND_RAW_WORDS 21
static __always_inline _Bool unwind_is_user(const __u64 *raw)
{
	/*
	 * 0x23 is the code segment of 32-bit programs, which have no tables. Kernel workers of a
	 * process (io_uring) have its segment, but no pc.
	 */
	return (raw[17] & 3) && (raw[17] & 0xffff) != 0x23 && raw[16];
}

static __always_inline void unwind_take_regs(struct unwind_state *s)
{
	/* DWARF numbers registers by figure 3.36 of the System V ABI, AMD64. */
	s->sample[0] = s->raw[10];
	s->sample[1] = s->raw[12];
	s->sample[2] = s->raw[11];
	s->sample[3] = s->raw[5];
	s->sample[4] = s->raw[13];
	s->sample[5] = s->raw[14];
	s->sample[6] = s->raw[4];
	s->sample[7] = s->raw[19];
	s->sample[8] = s->raw[9];
	s->sample[9] = s->raw[8];
	s->sample[10] = s->raw[7];
	s->sample[11] = s->raw[6];
	s->sample[12] = s->raw[3];
	s->sample[13] = s->raw[2];
	s->sample[14] = s->raw[1];
	s->sample[15] = s->raw[0];
	s->regs.pc = s->raw[16];
	s->regs.sp = s->raw[19];
	s->regs.fp = s->raw[4];
	s->regs.base = s->raw[5];
	s->regs.lr = 0;
}
#endif

static __always_inline void unwind_count(__u32 what, __u64 cnt)
{
	__u64 *c = bpf_map_lookup_elem(&unwind_counts, &what);

	if (c)
		__sync_fetch_and_add(c, cnt);
}

/*
 * The members of kernel types that walks need. A program without walks loads even if the kernel
 * lacks these types, because all of this is then dead code.
 */
struct task_struct___unwind {
	void *stack;
	__u64 self_exec_id;
} __attribute__((preserve_access_index));
union thread_union___unwind {
	unsigned long stack[1];
} __attribute__((preserve_access_index));
struct pt_regs___unwind {
	unsigned long sp;
} __attribute__((preserve_access_index));

/* Returns the address where the kernel keeps the registers that the task entered it with. */
static __always_inline __u64 unwind_entry_regs(void)
{
	struct task_struct___unwind *task;
	/* THREAD_SIZE of both architectures; the types of Debian's 5.10 lack it. */
	__u64 stack_sz = 16384;

	if (unwind_regs_helper)
		return (__u64)bpf_task_pt_regs((void *)bpf_get_current_task_btf());
	/* Before 5.15 they are at the end of the task's kernel stack. */
	task = (void *)bpf_get_current_task();
	if (bpf_core_type_exists(union thread_union___unwind))
		stack_sz = bpf_core_type_size(union thread_union___unwind);
	return (__u64)BPF_CORE_READ(task, stack) + stack_sz -
	       bpf_core_type_size(struct pt_regs___unwind);
}

/*
 * Finds the user's registers: those of the sample, if it hit user code, or those at kernel entry.
 */
static __always_inline _Bool unwind_find_regs(struct unwind_state *s, __u64 regs)
{
	if (regs && !bpf_probe_read_kernel(s->raw, 8 * UNWIND_RAW_WORDS, (void *)regs) &&
	    unwind_is_user(s->raw))
		return 1;
	regs = unwind_entry_regs();
	return regs && !bpf_probe_read_kernel(s->raw, 8 * UNWIND_RAW_WORDS, (void *)regs) &&
	       unwind_is_user(s->raw);
}

/*
 * Requests what the walk lacked, at a limited rate. It is a separate function, like the steps
 * before and after a walk, because the stacks of nested functions may use 512 bytes at most
 * together.
 */
__weak __noinline int unwind_ask(__u32 key)
{
	struct unwind_state *s = bpf_map_lookup_elem(&unwind_states, &key);
	struct unwind_proc new = { .gap_ns = UNWIND_FIRST_GAP_NS };
	struct unwind_ask ask = { 0 };
	struct unwind_proc *proc;

	if (UNWIND_OFF || !s)
		return 0;
	ask.exec_id = s->exec_id;
	ask.pc = s->lacking_pc;
	ask.tgid = s->tgid;
	ask.table = s->lacking_table;
	new.asked_ns = bpf_ktime_get_ns();
	new.exec_id = s->exec_id;
	proc = bpf_map_lookup_elem(&unwind_procs, &s->tgid);
	if (proc) {
		if (new.asked_ns - proc->asked_ns < proc->gap_ns)
			return 0;
		proc->asked_ns = new.asked_ns;
	} else if (bpf_map_update_elem(&unwind_procs, &s->tgid, &new, BPF_NOEXIST)) {
		unwind_count(UNWIND_CNT_ASK_LOST, 1);
		return 0;
	}
	if (bpf_ringbuf_output(&unwind_asks, &ask, sizeof(ask), 0))
		unwind_count(UNWIND_CNT_ASK_LOST, 1);
	return 0;
}

static __always_inline void unwind_whose(struct unwind_state *s)
{
	struct task_struct___unwind *task = (void *)bpf_get_current_task();
	struct unwind_proc *proc;

	s->tgid = current_ids() >> 32;
	s->exec_id = BPF_CORE_READ(task, self_exec_id);
	s->set = 0;
	proc = bpf_map_lookup_elem(&unwind_procs, &s->tgid);
	if (!proc)
		return;
	if (proc->exec_id == UNWIND_ANY_EXEC)
		proc->exec_id = s->exec_id;
	if (proc->exec_id == s->exec_id)
		s->set = proc->set;
}

/* Sets the state to the task's process and its user registers. Not 0: it has none. */
__weak __noinline int unwind_begin(__u32 key, __u64 regs)
{
	struct unwind_state *s = bpf_map_lookup_elem(&unwind_states, &key);

	if (UNWIND_OFF || !s)
		return -1;
	s->cnt = 0;
	s->end = UNWIND_GOES_ON;
	if (!unwind_find_regs(s, regs))
		return -1;
	unwind_take_regs(s);
	unwind_whose(s);
	/* do_exit() has released it: exit_mm(). */
	s->gone = !BPF_CORE_READ((struct task_struct___unwind_mm *)bpf_get_current_task(), mm);
	s->max = stack_user_sz / sizeof(__u64);
	return 0;
}

/* Counts a walk that has ended. */
__weak __noinline int unwind_end(__u32 key)
{
	struct unwind_state *s = bpf_map_lookup_elem(&unwind_states, &key);

	if (UNWIND_OFF || !s)
		return 0;
	unwind_count(s->set || UNWIND_HAS_TREE ? s->end : UNWIND_CNT_NO_PROC, 1);
	unwind_count(UNWIND_CNT_FRAMES, s->cnt);
	if (s->by_fp)
		unwind_count(UNWIND_CNT_FRAMES_BY_FP, s->by_fp);
	return 0;
}

/*
 * One in so many walks by the kernel's tree, which is a power of two, requests a set. Most
 * processes of a shell script end before: their sets would be read from /proc and never be used.
 */
#define UNWIND_SET_AFTER 1024

/*
 * A set is faster to search than the kernel's tree: it is worth to be made for a process that is
 * sampled again and again.
 */
static __always_inline _Bool unwind_wants_set(struct unwind_state *s)
{
	if (!UNWIND_HAS_TREE || s->set || bpf_get_prandom_u32() & (UNWIND_SET_AFTER - 1))
		return 0;
	s->lacking_pc = 0;
	s->lacking_table = 0;
	return 1;
}

/*
 * Walks the user stack of the current task into the state of this level. regs: the address of the
 * interrupted registers; 0: not known. Returns the number of pcs.
 */
__weak __noinline int unwind_user(__u32 key, __u64 regs)
{
	struct unwind_state *s = bpf_map_lookup_elem(&unwind_states, &key);

	if (UNWIND_OFF || !s || unwind_begin(key, regs))
		return 0;
	unwind_walk(s, key);
	if (s->lacking || unwind_wants_set(s))
		unwind_ask(key);
	unwind_end(key);
	return (int)s->cnt;
}

/*
 * Copies the user stack to `to`, which has room for room_sz (a constant) bytes. regs: see
 * unwind_user(). Returns bytes or -errno; *end: enum unwind_end of a walk, or 0.
 */
static __always_inline long take_user_stack(void *ctx, __u32 level, __u64 regs, void *to,
					    __u32 room_sz, __u16 *end)
{
	__u32 key = (__u32)level_index(level);
	struct unwind_state *s;
	__u64 sz;

	*end = 0;
	if (UNWIND_OFF)
		return bpf_get_stack(ctx, to, room_sz, BPF_F_USER_STACK);
	sz = (__u64)unwind_user(key, regs) * sizeof(__u64);
	/*
	 * The kernel can follow the stack of a 32-bit program, which has no tables; a kernel thread
	 * has none.
	 */
	if (!sz)
		return bpf_get_stack(ctx, to, room_sz, BPF_F_USER_STACK);
	s = bpf_map_lookup_elem(&unwind_states, &key);
	if (!s)
		return -EFAULT;
	*end = (__u16)s->end;
	if (sz > room_sz)
		sz = room_sz;
	barrier_var(sz);
	if (sz > sizeof(s->pcs))
		return -EFAULT;
	if (bpf_probe_read_kernel(to, (__u32)sz, s->pcs))
		return -EFAULT;
	return (long)sz;
}

#endif
