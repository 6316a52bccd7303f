// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * sched_process_exec and sched_prepare_exec on raw tracepoints: the sched:* records with paths,
 * which do not fit the BPF stack.
 */
#include <linux/bpf.h>
#include "vmlinux.h"
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>

#include "emit.bpf.h"

#define COMM_LEN 16
#define PATH_LEN 4096 /* PATH_MAX: the kernel's limit of a file name, with the NUL */

const volatile __u16 id_sched_process_exec = 0;
const volatile __u16 id_sched_prepare_exec = 0;

struct exec_entry {
	struct wire_entry head;
	__u32 filename_loc;
	__s32 pid, old_pid;
	char filename[PATH_LEN];
};

struct prepare_exec_entry {
	struct wire_entry head;
	__u32 interp_loc, filename_loc;
	__s32 pid;
	__u32 comm_loc;
	char strings[2 * PATH_LEN + COMM_LEN];
};

/*
 * Copies a string of at most max bytes with its NUL. Returns its length with the NUL; 1 (empty): it
 * can't be read.
 */
static __always_inline __u64 copy_string(char *to, __u32 max, const char *from)
{
	long len = bpf_probe_read_kernel_str(to, max, from);

	if (len >= 1)
		return (__u64)len;
	to[0] = '\0';
	return 1;
}

SEC("tp_btf/sched_process_exec")
int BPF_PROG(raw_sched_process_exec, struct task_struct *p, int old_pid, struct linux_binprm *bprm)
{
	struct exec_entry *e;
	struct slot s;
	__u64 len;

	if (!wanted(&s))
		return 0;
	e = reserve_large(ctx, &s, sizeof(*e));
	if (!e)
		return 0;
	e->pid = p->pid;
	e->old_pid = old_pid;
	len = copy_string(e->filename, PATH_LEN, bprm->filename);
	barrier_var(len);
	if (len > PATH_LEN)
		len = PATH_LEN;
	e->filename_loc = __builtin_offsetof(struct exec_entry, filename) | (__u32)len << 16;
	commit(ctx, &s, id_sched_process_exec,
	       __builtin_offsetof(struct exec_entry, filename) + len);
	return 0;
}

#define STRINGS_AT __builtin_offsetof(struct prepare_exec_entry, strings)

SEC("tp_btf/sched_prepare_exec")
int BPF_PROG(raw_sched_prepare_exec, struct task_struct *p, struct linux_binprm *bprm)
{
	struct prepare_exec_entry *e;
	struct slot s;
	__u64 len, used;

	if (!wanted(&s))
		return 0;
	e = reserve_large(ctx, &s, sizeof(*e));
	if (!e)
		return 0;
	e->pid = p->pid;

	used = copy_string(e->strings, PATH_LEN, bprm->interp);
	barrier_var(used);
	if (used > PATH_LEN)
		used = PATH_LEN;
	e->interp_loc = STRINGS_AT | (__u32)used << 16;

	len = copy_string(e->strings + used, PATH_LEN, bprm->filename);
	e->filename_loc = (STRINGS_AT + (__u32)used) | (__u32)len << 16;
	used += len;
	barrier_var(used);
	if (used > 2 * PATH_LEN)
		used = 2 * PATH_LEN;

	len = copy_string(e->strings + used, COMM_LEN, p->comm);
	e->comm_loc = (STRINGS_AT + (__u32)used) | (__u32)len << 16;
	used += len;
	barrier_var(used);
	if (used > sizeof(e->strings))
		used = sizeof(e->strings);
	commit(ctx, &s, id_sched_prepare_exec, STRINGS_AT + used);
	return 0;
}

char LICENSE[] SEC("license") = "Dual BSD/GPL";
