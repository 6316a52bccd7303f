// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "kernel/features.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include "kernel/kernel_btf.h"
#include "kernel/multi_link.h"

/* Added in 5.4: 341dfcf8d78e (btf: expose BTF info through sysfs). */
static bool probe_btf(void)
{
	return access("/sys/kernel/btf/vmlinux", R_OK) == 0;
}

/*
 * Added in 5.15: 7adfc6c9b315 (bpf: Add bpf_get_attach_cookie() BPF helper to access bpf_cookie
 * value).
 */
static bool probe_attach_cookie(void)
{
	return libbpf_probe_bpf_helper(BPF_PROG_TYPE_TRACEPOINT, BPF_FUNC_get_attach_cookie,
				       NULL) == 1;
}

/* Added in 4.9: 0515e5999a46 (bpf: introduce BPF_PROG_TYPE_PERF_EVENT program type). */
static bool probe_perf_progs(void)
{
	return libbpf_probe_bpf_prog_type(BPF_PROG_TYPE_PERF_EVENT, NULL) == 1;
}

/* Added in 5.15: dd6e10fbd9fb (bpf: Add bpf_task_pt_regs() helper). */
static bool probe_task_regs(void)
{
	return probe_btf() &&
	       libbpf_probe_bpf_helper(BPF_PROG_TYPE_PERF_EVENT, BPF_FUNC_task_pt_regs, NULL) == 1;
}

/* Loads an empty program of a type of the kernel's. */
static bool can_load(enum bpf_attach_type type, uint32_t btf_id, uint32_t flags)
{
	const struct bpf_insn insns[] = {
		{ .code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = BPF_REG_0 },
		{ .code = BPF_JMP | BPF_EXIT },
	};
	LIBBPF_OPTS(bpf_prog_load_opts, opts, .expected_attach_type = type, .prog_flags = flags,
		    .attach_btf_id = btf_id);
	int fd;

	if (!btf_id)
		return false;
	fd = bpf_prog_load(BPF_PROG_TYPE_TRACING, NULL, "GPL", insns, 2, &opts);
	if (fd >= 0)
		close(fd);
	return fd >= 0;
}

/* Linux 7.2; probed by loading one. */
static bool probe_sleepable_tp(void)
{
	return probe_btf() &&
	       can_load(BPF_TRACE_RAW_TP, kernel_btf__tracepoint_id("sys_enter"), BPF_F_SLEEPABLE);
}

/*
 * Iterators of tasks were added in 5.8: eaaacd23910f (bpf: Add task and task/file iterator
 * targets); the stack in 5.9: fa28dcb82a38 (bpf: Introduce helper bpf_get_task_stack()).
 */
static bool probe_task_iter(void)
{
	return probe_btf() && can_load(BPF_TRACE_ITER, kernel_btf__iter_id("task"), 0);
}

/* Added in 5.17: e6f2dd0f8067 (bpf: Add bpf_loop helper). */
static bool probe_loop(void)
{
	return libbpf_probe_bpf_helper(BPF_PROG_TYPE_RAW_TRACEPOINT, BPF_FUNC_loop, NULL) == 1;
}

/*
 * Added in 6.1: 34dd3bad1a6f (bpf: Relax the requirement to use preallocated hash maps in tracing
 * progs.). Older kernels load some of these programs, but warn of them; the type of map that is
 * looked for came with that release, too.
 */
static bool probe_hash_alloc(void)
{
	int fd = bpf_map_create(BPF_MAP_TYPE_USER_RINGBUF, NULL, 0, 0, (__u32)getpagesize(), NULL);

	if (fd >= 0)
		close(fd);
	return fd >= 0;
}

/* Returns the fd of a program of kprobes, or -errno. */
static int load_kprobe(const struct bpf_insn *insns, size_t cnt, int attach_type)
{
	LIBBPF_OPTS(bpf_prog_load_opts, opts, .expected_attach_type = attach_type);

	return bpf_prog_load(BPF_PROG_TYPE_KPROBE, NULL, "GPL", insns, cnt, &opts);
}

/* Added in 5.12: 5ffa25502b5a (bpf: Add instructions for atomic_[cmp]xchg). */
static bool probe_cmpxchg(void)
{
	const struct bpf_insn insns[] = {
		{ .code = BPF_ST | BPF_MEM | BPF_DW, .dst_reg = BPF_REG_10, .off = -8 },
		{ .code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = BPF_REG_0 },
		{ .code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = BPF_REG_1 },
		{ .code = BPF_STX | BPF_ATOMIC | BPF_DW,
		  .dst_reg = BPF_REG_10,
		  .src_reg = BPF_REG_1,
		  .off = -8,
		  .imm = BPF_CMPXCHG },
		{ .code = BPF_JMP | BPF_EXIT },
	};

	int fd;

	fd = load_kprobe(insns, sizeof(insns) / sizeof(insns[0]), 0);
	if (fd >= 0)
		close(fd);
	return fd >= 0;
}

/*
 * Added in 6.10: fc7566ad0a82 (bpf: Introduce bpf_preempt_[disable,enable] kfuncs). Until 6.15 a
 * program that has called it may call no global function, of which walks of user stacks consist;
 * the function that is looked for came with that release, too.
 */
static bool probe_preempt_disable(void)
{
	return probe_btf() && kernel_btf__functions()->res_spin_lock;
}

/* Returns a program that is attached by one link to many functions, or -errno. */
static int load_multi(int attach_type)
{
	const struct bpf_insn insns[] = {
		{ .code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = BPF_REG_0 },
		{ .code = BPF_JMP | BPF_EXIT },
	};

	return load_kprobe(insns, 2, attach_type);
}

/*
 * Added in 6.6: 89ae89f53d20 (bpf: Add multi uprobe link). Older kernels load such a program, but
 * know no such link; others object to the directory.
 */
static bool knows_uprobes(bool is_session)
{
	const uint64_t off = 0;
	const struct uprobe_multi at = {
		.path = "/", .offs = &off, .cnt = 1, .is_session = is_session
	};
	int prog = load_multi(is_session ? ATTACH_UPROBE_SESSION : ATTACH_UPROBE_MULTI), err;

	if (prog < 0)
		return false;
	err = uprobe_multi__attach(prog, &at);
	close(prog);
	return err == -EBADF;
}

static bool probe_uprobe_multi(void)
{
	return knows_uprobes(false);
}

static bool has_session_functions(void)
{
	return probe_btf() && kernel_btf__functions()->session_is_return &&
	       kernel_btf__functions()->session_cookie;
}

/* Added in 6.13: d920179b3d4842 (bpf: Add support for uprobe multi session attach). */
static bool probe_uprobe_session(void)
{
	return has_session_functions() && knows_uprobes(true);
}

/* Added in 5.18: 0dcac2725406 (bpf: Add multi kprobe link). There is no function of this name. */
static bool knows_kprobes(bool is_session)
{
	const char *const syms[] = { "bpfperf has no such function" };
	const struct kprobe_multi at = { .syms = syms, .cnt = 1, .is_session = is_session };
	int prog = load_multi(is_session ? ATTACH_KPROBE_SESSION : ATTACH_KPROBE_MULTI), err;

	if (prog < 0)
		return false;
	err = kprobe_multi__attach(prog, &at);
	close(prog);
	return err == -ESRCH || err == -ENOENT;
}

static bool probe_kprobe_multi(void)
{
	return knows_kprobes(false);
}

/* Added in 6.10: 535a3692ba72 (bpf: Add support for kprobe session attach). */
static bool probe_kprobe_session(void)
{
	return has_session_functions() && knows_kprobes(true);
}

static bool always(void)
{
	return true;
}

static const struct {
	const char *name;
	bool (*probe)(void);
} features[FEATURE_CNT] = {
	[FEATURE_BTF] = { "btf", probe_btf },
	[FEATURE_ATTACH_COOKIE] = { "attach_cookie", probe_attach_cookie },
	[FEATURE_TASK_REGS] = { "task_regs", probe_task_regs },
	[FEATURE_PERF_PROGS] = { "perf_progs", probe_perf_progs },
	[FEATURE_SLEEPABLE_TP] = { "sleepable_tp", probe_sleepable_tp },
	[FEATURE_TASK_ITER] = { "task_iter", probe_task_iter },
	[FEATURE_LOOP] = { "loop", probe_loop },
	[FEATURE_HASH_ALLOC] = { "hash_alloc", probe_hash_alloc },
	[FEATURE_CMPXCHG] = { "cmpxchg", probe_cmpxchg },
	[FEATURE_PREEMPT_DISABLE] = { "preempt_disable", probe_preempt_disable },
	[FEATURE_KPROBE_MULTI] = { "kprobe_multi", probe_kprobe_multi },
	[FEATURE_KPROBE_SESSION] = { "kprobe_session", probe_kprobe_session },
	[FEATURE_UPROBE_SESSION] = { "uprobe_session", probe_uprobe_session },
	[FEATURE_UPROBE_MULTI] = { "uprobe_multi", probe_uprobe_multi },
	[FEATURE_MAPPING_TREE] = { "mapping_tree", always },
	[FEATURE_DETACH_WATCH] = { "detach_watch", always },
	[FEATURE_SYSCALL_GUARD] = { "syscall_guard", always },
};

/* Is `name` an element of the comma-separated list in BPFPERF_WITHOUT? */
static bool switched_off(const char *name)
{
	const char *p = getenv("BPFPERF_WITHOUT");
	size_t len = strlen(name);

	while (p && *p) {
		if (strncmp(p, name, len) == 0 && (p[len] == ',' || p[len] == '\0'))
			return true;
		p = strchr(p, ',');
		if (p)
			p++;
	}
	return false;
}

bool feature__have(enum feature f)
{
	static signed char known[FEATURE_CNT]; /* 0: not probed yet, 1: yes, -1: no */

	if (!known[f])
		known[f] = !switched_off(features[f].name) && features[f].probe() ? 1 : -1;
	return known[f] > 0;
}
