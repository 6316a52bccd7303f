// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * bpfperf strace: one record for each system call, made at its return. A state per thread keeps the
 * time and the arguments from the entry on. One pair of programs serves all calls; a table
 * describes which memory each call's arguments point to.
 */
#include <linux/bpf.h>
#include "vmlinux.h"
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>
#include <bpf/bpf_core_read.h>

#include "arch.bpf.h"
#include "emit.bpf.h"
#include "strace_data.bpf.h"
#include "strace_files.bpf.h"
#include "strace_state.bpf.h"

/* Only calls that succeed, or only those that fail; -z and -Z. */
const volatile _Bool only_successful = 0;
const volatile _Bool only_failed = 0;
/* Calls are counted. */
const volatile _Bool count_calls = 0;
/* Calls are counted, and may be stopped: --budget. */
const volatile _Bool has_budget = 0;
/* Only calls that take at least this long. */
const volatile __u64 call_min_ns = 0;

/* Calls of threads that found no state, because more threads than it has were in a call. */
__u64 threads_refused = 0;

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(max_entries, STRACE_ABIS *STRACE_CALLS);
	__type(key, __u32);
	__type(value, struct strace_call);
} strace_calls SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, STRACE_ABIS *STRACE_CALLS);
	__type(key, __u32);
	__type(value, struct strace_count);
} strace_counts SEC(".maps");

/* Bit of a number of x86's x32 ABI. */
#define X32_BIT 0x40000000

/* Index of a call in the tables. */
static __always_inline __u32 call_index(__s64 id, _Bool compat, _Bool *is_x32)
{
	*is_x32 = 0;
#if defined(__TARGET_ARCH_x86)
	*is_x32 = (id & X32_BIT) && id > 0;
	id &= ~(__s64)X32_BIT;
#endif
	if (id < 0 || id >= STRACE_CALLS)
		id = STRACE_CALLS - 1;
	return (compat ? STRACE_CALLS : 0) + (__u32)id;
}

static __always_inline struct strace_thread *thread_state(__u32 key)
{
	struct strace_thread *t = find_thread(key);

	return t ? t : new_thread(key);
}

static __always_inline void copy_args(__u64 *to, const __u64 *from)
{
	int i;

	for (i = 0; i < 6; i++)
		to[i] = from[i];
}

/* Appends the files of the arguments to a record of sz bytes. Returns its new size. */
static __always_inline __u64 put_files(struct wire_call *rec, __u64 sz,
				       const struct strace_file_chunk *files, __u64 cnt)
{
	__u64 files_sz = cnt * sizeof(*files);

	barrier_var(files_sz);
	if (files_sz > STRACE_FILES * sizeof(*files))
		files_sz = STRACE_FILES * sizeof(*files);
	barrier_var(sz);
	sz &= 4095;
	bpf_probe_read_kernel((void *)rec + sz, (__u32)files_sz, files);
	return sz + files_sz;
}

/* Does --filter, whose code the loader generates, want the record? */
static __always_inline _Bool filter_passes(struct slot *s, struct wire_call *rec)
{
	struct patch_env *env = &s->cpu->env[level_index(s->level)];

	if (!has_patch_point)
		return 1;
	fill_env(env, s->tid, s->tgid);
	if (patch_point(rec, 0, env))
		return 1;
	drop(s);
	return 0;
}

/* Sends the record of a call that may not return. */
static __always_inline void send_begin(void *ctx, struct slot *s, struct strace_thread *t,
				       const struct strace_call *call, enum fetch_how how)
{
	struct wire_call *rec = reserve_call(ctx, s);
	__u64 sz = sizeof(*rec);

	if (!rec)
		return;
	rec->tid = s->tid;
	rec->nr = (__u16)t->nr;
	rec->flags = t->is_x32 ? WIRE_CALL_X32 : 0;
	rec->ret = 0;
	rec->enter_ns = t->enter_ns;
	rec->stack = has_callstack ? take_callstack(ctx, s->cpu, s->level) : 0;
	copy_args(rec->args, t->args);
	if (call->flags & STRACE_NO_RETURN && !filter_passes(s, rec))
		return;
	if (describe_files)
		sz = put_files(rec, sz, t->files, t->file_cnt);
	sz = fetch_all(rec, call, sz, how);
	t->sent = 1;
	commit_rec(ctx, s, WIRE_CALL_BEGIN, sz);
}

struct pt_regs___sp {
	unsigned long sp;
} COMPAT_FLAVOUR;

/* Offset of uc_sigmask from the stack pointer at rt_sigreturn (struct rt_sigframe); 0: unknown. */
#if defined(__TARGET_ARCH_x86)
#define FRAME_MASK 296
#elif defined(__TARGET_ARCH_arm64)
#define FRAME_MASK 168
#else
#define FRAME_MASK 0
#endif

static __always_inline __u64 frame_mask(struct pt_regs *regs)
{
#if FRAME_MASK
	return BPF_CORE_READ((struct pt_regs___sp *)regs, sp) + FRAME_MASK;
#else
	return 0;
#endif
}

/* Is this the exec with which CMD begins? Its task becomes a watched one inside of the call. */
static __always_inline _Bool will_be_wanted(const struct slot *s, const struct strace_call *call)
{
	__u8 *state;

	if (!(call->flags & STRACE_BEGINS) || call->flags & STRACE_NO_RETURN || !s->cpu ||
	    !s->cpu->watched)
		return 0;
	if (hide_cmd && s->tgid == hidden_tgid)
		return 1;
	if (!filter_tasks)
		return 0;
	state = task_state(s->tid);
	return state && *state & WIRE_TASK_ON_EXEC;
}

static __always_inline void on_enter(void *ctx, struct pt_regs *regs, __s64 id, enum fetch_how how)
{
	const struct strace_call *call;
	struct strace_thread *t;
	struct slot s = {};
	_Bool is_x32;
	__u32 nr;

	if (!active || !regs)
		return;
	nr = call_index(id, arch_compat_syscall(regs), &is_x32);
	call = bpf_map_lookup_elem(&strace_calls, &nr);
	if (!call || !(call->flags & STRACE_WANTED))
		return;
	if (!wanted(&s) && !will_be_wanted(&s, call))
		return;
	t = thread_state((__u32)bpf_get_current_pid_tgid());
	if (!t) {
		__sync_fetch_and_add(&threads_refused, 1);
		return;
	}
	t->nr = nr;
	t->tgid = s.tgid;
	t->tid = s.tid;
	t->sent = 0;
	t->is_x32 = is_x32;
	if (strace_counts_only) {
		t->enter_ns = bpf_ktime_get_ns();
		return;
	}
	arch_syscall_args(regs, t->args);
	if (call->flags & STRACE_FRAME)
		t->args[0] = frame_mask(regs);
	t->enter_ns = bpf_ktime_get_ns();
	if (describe_files)
		t->file_cnt = call->fd_args ? take_files(t->files, t->args, call) : 0;
	if (call->entry_cnt)
		fetch_entry(t, call);
	if (call->flags & STRACE_BEGINS)
		send_begin(ctx, &s, t, call, how);
}

static __always_inline void count_call(__u32 nr, __s64 ret, __u64 ns)
{
	struct strace_count *c = bpf_map_lookup_elem(&strace_counts, &nr);

	if (!c)
		return;
	c->calls++;
	c->errors += ret < 0 && ret >= -4095;
	c->ns += ns;
	if (!c->min_ns || ns < c->min_ns)
		c->min_ns = ns;
	if (ns > c->max_ns)
		c->max_ns = ns;
}

/* Is a call with this result wanted? */
static __always_inline _Bool result_wanted(__s64 ret, __u64 enter_ns, __u64 now_ns)
{
	_Bool failed = ret < 0 && ret >= -4095;

	if ((only_successful && failed) || (only_failed && !failed))
		return 0;
	return !call_min_ns || (enter_ns && now_ns - enter_ns >= call_min_ns);
}

/* Counts a call for --budget. Returns whether it has been stopped. */
static __always_inline _Bool count_sent(__u32 nr, const struct strace_call *call)
{
	struct strace_count *c = bpf_map_lookup_elem(&strace_counts, &nr);

	if (!c)
		return 0;
	if (!count_calls)
		c->calls++;
	if (!(call->flags & STRACE_STOPPED))
		return 0;
	c->skipped++;
	return 1;
}

struct sigpending___kill {
	struct {
		unsigned long sig[1];
	} signal;
} COMPAT_FLAVOUR;

struct task_struct___kill {
	struct sigpending___kill pending;
} COMPAT_FLAVOUR;

/* Will this thread end before it returns from its call? (fatal_signal_pending()) */
static __always_inline _Bool is_killed(void)
{
	struct task_struct___kill *task = (void *)bpf_get_current_task();

	return BPF_CORE_READ(task, pending.signal.sig[0]) >> (SIGKILL - 1) & 1;
}

static __always_inline void send_call(void *ctx, struct slot *s, struct strace_thread *t,
				      struct pt_regs *regs, __s64 ret, __u32 nr,
				      const struct strace_call *call, _Bool killed,
				      enum fetch_how how)
{
	struct wire_call *rec = reserve_call(ctx, s);
	__u64 sz = sizeof(*rec);

	if (!rec)
		return;
	rec->tid = s->tid;
	rec->nr = (__u16)nr;
	rec->ret = ret;
	rec->flags = 0;
	rec->enter_ns = 0;
	rec->stack = has_callstack ? take_callstack(ctx, s->cpu, s->level) : 0;
	if (t) {
		rec->flags = (t->sent ? WIRE_CALL_BEGUN : 0) | (t->is_x32 ? WIRE_CALL_X32 : 0);
		rec->enter_ns = t->enter_ns;
		copy_args(rec->args, t->args);
		if (call->entry_cnt) {
			__u64 entry_sz = call->entry_cnt * sizeof(t->entry[0]);

			fetch_late(t, call);
			barrier_var(entry_sz);
			if (entry_sz > STRACE_ENTRIES * sizeof(t->entry[0]))
				entry_sz = STRACE_ENTRIES * sizeof(t->entry[0]);
			bpf_probe_read_kernel(rec + 1, (__u32)entry_sz, t->entry);
			sz += entry_sz;
		}
		if (describe_files)
			sz = put_files(rec, sz, t->files, t->file_cnt);
	} else {
		rec->flags = WIRE_CALL_UNKNOWN_ENTRY;
		arch_syscall_args(regs, rec->args);
		if (describe_files)
			sz += take_files((void *)(rec + 1), rec->args, call) *
			      sizeof(struct strace_file_chunk);
	}
	if (!filter_passes(s, rec))
		return;
	if (has_budget && count_sent(nr, call)) {
		drop(s);
		return;
	}
	if (describe_files)
		sz = put_new_files(rec, sz, call);
	if (killed)
		rec->flags |= WIRE_CALL_KILLED;
	/* Memory that was missing at the entry is there after a failed execve. */
	if (!t || !t->sent || ret < 0)
		sz = fetch_all(rec, call, sz, how);
	commit_rec(ctx, s, WIRE_CALL, sz);
}

/* -c: a call that was wanted at its entry (see wanted_at_return()). */
static __always_inline void count_return(struct strace_thread *t, __s64 ret)
{
	__u64 enter_ns = t->enter_ns, now_ns = bpf_ktime_get_ns();

	t->enter_ns = 0;
	if (result_wanted(ret, enter_ns, now_ns))
		count_call(t->nr, ret, now_ns - enter_ns);
}

/*
 * A call that was wanted at its entry is wanted at its return, but for an execve: the task is not
 * looked up again. A thread that has another name by then has its call printed whole.
 */
static __always_inline _Bool wanted_at_return(struct slot *s, const struct strace_thread *t,
					      const struct strace_call *call)
{
	if (!t || call->flags & STRACE_BEGINS)
		return wanted(s);
	s->time_ns = STAMP_EARLY ? bpf_ktime_get_ns() : 0;
	s->self = s->is_woken = 0;
	s->tgid = t->tgid;
	s->tid = t->tid;
	/* A reader may have become one of bpfperf's meanwhile. */
	return !is_own(s->tgid) && cpu_wanted(s);
}

static __always_inline void on_exit(void *ctx, struct pt_regs *regs, __s64 ret, enum fetch_how how)
{
	__u32 tid = (__u32)bpf_get_current_pid_tgid(), nr;
	const struct strace_call *call;
	struct strace_thread *t;
	_Bool is_x32, killed;
	struct slot s;

	if (!active || !regs)
		return;
	t = find_thread(tid);
	if (t && !t->enter_ns)
		t = NULL;
	nr = t ? t->nr : call_index(arch_syscall_nr(regs), arch_compat_syscall(regs), &is_x32);
	call = bpf_map_lookup_elem(&strace_calls, &nr);
	if (!call || !(call->flags & STRACE_WANTED))
		return;
	if (strace_counts_only && t && !(call->flags & STRACE_BEGINS)) {
		count_return(t, ret);
		return;
	}
	if (!wanted_at_return(&s, t, call))
		return;
	if (!t && !ret && call->flags & STRACE_FORKS)
		return;
	killed = ret < 0 && is_killed();
	if (count_calls || call_min_ns || only_successful || only_failed) {
		__u64 now_ns = bpf_ktime_get_ns();

		if (!result_wanted(ret, t ? t->enter_ns : 0, now_ns)) {
			if (t)
				t->enter_ns = 0;
			return;
		}
		if (count_calls && !killed)
			count_call(nr, ret, t ? now_ns - t->enter_ns : 0);
		if (strace_counts_only) {
			if (t)
				t->enter_ns = 0;
			return;
		}
	}
	send_call(ctx, &s, t, regs, ret, nr, call, killed, how);
	if (t)
		t->enter_ns = 0;
}

SEC("tp_btf/sys_enter")
int BPF_PROG(strace_enter, struct pt_regs *regs, long id)
{
	on_enter(ctx, regs, id, FETCH_BY_HELPER);
	return 0;
}

SEC("tp_btf/sys_exit")
int BPF_PROG(strace_exit, struct pt_regs *regs, long ret)
{
	on_exit(ctx, regs, ret, FETCH_BY_HELPER);
	return 0;
}

/* The programs for kernels without bpf_loop(). */
SEC("tp_btf/sys_enter")
int BPF_PROG(strace_old_enter, struct pt_regs *regs, long id)
{
	on_enter(ctx, regs, id, FETCH_BY_BRANCH);
	return 0;
}

SEC("tp_btf/sys_exit")
int BPF_PROG(strace_old_exit, struct pt_regs *regs, long ret)
{
	on_exit(ctx, regs, ret, FETCH_BY_BRANCH);
	return 0;
}

/* The programs for kernels that preempt those above (7.0): see syscalls.bpf.c. */
struct strace_sys_enter {
	struct wire_entry entry;
	__s64 id;
	__u64 args[6];
};

struct strace_sys_exit {
	struct wire_entry entry;
	__s64 id;
	__s64 ret;
};

SEC("tracepoint")
int strace_classic_enter(struct strace_sys_enter *ctx)
{
	on_enter(ctx, compat_current_regs(), ctx->id, FETCH_BY_HELPER);
	return 1;
}

SEC("tracepoint")
int strace_classic_exit(struct strace_sys_exit *ctx)
{
	on_exit(ctx, compat_current_regs(), ctx->ret, FETCH_BY_HELPER);
	return 1;
}

/* Tests whether programs on raw tracepoints can be preempted: see probe_sys_enter. */
__u32 strace_probe_tid = 0;
_Bool strace_probe_found = 0;

SEC("raw_tp/sys_enter")
int strace_probe(void *ctx)
{
	if ((__u32)current_ids() == strace_probe_tid)
		strace_probe_found = compat_is_preemptible();
	return 0;
}

char LICENSE[] SEC("license") = "Dual BSD/GPL";
