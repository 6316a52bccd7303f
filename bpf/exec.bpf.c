// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * sched_process_exec and sched_prepare_exec on raw tracepoints: the records
 * of sched:* that carry paths, which do not fit the stack.
 */
#include <linux/bpf.h>
#include "vmlinux.h"
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>

#include "emit.bpf.h"

#define COMM_LEN 16
#define PATH_LEN 4096 /* PATH_MAX: what the kernel takes for a file name, with the NUL */

const volatile __u16 id_sched_process_exec = 0;
const volatile __u16 id_sched_prepare_exec = 0;

struct exec_record {
	struct tp_head head;
	__u32 filename_loc;
	__s32 pid, old_pid;
	char filename[PATH_LEN];
};

struct prepare_exec_record {
	struct tp_head head;
	__u32 interp_loc, filename_loc;
	__s32 pid;
	__u32 comm_loc;
	char strings[2 * PATH_LEN + COMM_LEN];
};

/* Of its program alone: a program does not run twice at once on a CPU. */
#define SCRATCH(map, record)                                                                       \
	struct {                                                                                   \
		__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);                                           \
		__uint(max_entries, 1);                                                            \
		__type(key, __u32);                                                                \
		__type(value, record);                                                             \
	} map SEC(".maps")

SCRATCH(exec_scratch, struct exec_record);
SCRATCH(prepare_exec_scratch, struct prepare_exec_record);

/* Copies a string of at most max bytes with its NUL; its length with the NUL, 1 (empty) where it can't be read. */
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
	struct exec_record *rec;
	struct origin o;
	__u32 zero = 0;
	__u64 len;

	if (!wanted(&o))
		return 0;
	rec = bpf_map_lookup_elem(&exec_scratch, &zero);
	if (!rec)
		return 0;
	fill_head(&rec->head, &o, id_sched_process_exec);
	rec->pid = p->pid;
	rec->old_pid = old_pid;
	len = copy_string(rec->filename, PATH_LEN, bprm->filename);
	barrier_var(len);
	if (len > PATH_LEN)
		len = PATH_LEN;
	rec->filename_loc =
		(__builtin_offsetof(struct exec_record, filename) - ENTRY_AT) | (__u32)len << 16;
	emit_tp(ctx, &o, &rec->head, __builtin_offsetof(struct exec_record, filename) + len);
	return 0;
}

#define STRINGS_AT (__builtin_offsetof(struct prepare_exec_record, strings) - ENTRY_AT)

SEC("tp_btf/sched_prepare_exec")
int BPF_PROG(raw_sched_prepare_exec, struct task_struct *p, struct linux_binprm *bprm)
{
	struct prepare_exec_record *rec;
	struct origin o;
	__u32 zero = 0;
	__u64 len, used;

	if (!wanted(&o))
		return 0;
	rec = bpf_map_lookup_elem(&prepare_exec_scratch, &zero);
	if (!rec)
		return 0;
	fill_head(&rec->head, &o, id_sched_prepare_exec);
	rec->pid = p->pid;

	used = copy_string(rec->strings, PATH_LEN, bprm->interp);
	barrier_var(used);
	if (used > PATH_LEN)
		used = PATH_LEN;
	rec->interp_loc = STRINGS_AT | (__u32)used << 16;

	len = copy_string(rec->strings + used, PATH_LEN, bprm->filename);
	rec->filename_loc = (STRINGS_AT + (__u32)used) | (__u32)len << 16;
	used += len;
	barrier_var(used);
	if (used > 2 * PATH_LEN)
		used = 2 * PATH_LEN;

	len = copy_string(rec->strings + used, COMM_LEN, p->comm);
	rec->comm_loc = (STRINGS_AT + (__u32)used) | (__u32)len << 16;
	used += len;
	barrier_var(used);
	if (used > sizeof(rec->strings))
		used = sizeof(rec->strings);
	emit_tp(ctx, &o, &rec->head,
		__builtin_offsetof(struct prepare_exec_record, strings) + used);
	return 0;
}

char LICENSE[] SEC("license") = "Dual BSD/GPL";
