// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * The kernel's types that target/cgroup.c looks up by name. Never loaded: `bpftool gen
 * min_core_btf` keeps the types that an object refers to, so this object keeps them in a minimized
 * BTF.
 */
#include <linux/bpf.h>
#include "vmlinux.h"
#include <bpf/bpf_helpers.h>

#include "compat.bpf.h"

enum cgroup_subsys_id {
	CGROUP_SUBSYS_COUNT,
};

struct task_struct___cgroups {
	void *cgroups;
} COMPAT_FLAVOUR;

struct css_set {
	void *subsys[1];
} COMPAT_FLAVOUR;

struct cgroup_subsys_state {
	void *cgroup;
} COMPAT_FLAVOUR;

struct cgroup {
	__s32 level;
	void *kn;
	__u64 ancestor_ids[1]; /* up to 6.0 */
	void *ancestors[1]; /* from 6.1 on */
} COMPAT_FLAVOUR;

struct kernfs_node {
	__u64 id;
} COMPAT_FLAVOUR;

SEC("raw_tp")
int types(void *ctx)
{
	return bpf_core_type_exists(enum cgroup_subsys_id) +
	       bpf_core_field_exists(struct task_struct___cgroups, cgroups) +
	       bpf_core_field_exists(struct css_set, subsys) +
	       bpf_core_field_exists(struct cgroup_subsys_state, cgroup) +
	       bpf_core_field_exists(struct cgroup, level) +
	       bpf_core_field_exists(struct cgroup, kn) +
	       bpf_core_field_exists(struct cgroup, ancestor_ids) +
	       bpf_core_field_exists(struct cgroup, ancestors) +
	       bpf_core_field_exists(struct kernfs_node, id);
}

char LICENSE[] SEC("license") = "Dual BSD/GPL";
