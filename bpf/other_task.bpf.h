/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Decides for any task as wanted() of filter.bpf.h does for the current one. Needs BTF. */
#ifndef BPFPERF_OTHER_TASK_BPF_H
#define BPFPERF_OTHER_TASK_BPF_H

#include "compat.bpf.h"
#include "filter.bpf.h"

struct cred___other {
	struct {
		__u32 val;
	} uid;
} COMPAT_FLAVOUR;
struct task_struct___other {
	struct cred___other *cred;
} COMPAT_FLAVOUR;

/* The v2 group of a task. */
struct kernfs_node___other {
	__u64 id;
} COMPAT_FLAVOUR;
struct cgroup___other {
	__s32 level;
	struct kernfs_node___other *kn;
	__u64 ancestor_ids[1]; /* up to 6.0 */
	struct cgroup___other *ancestors[1]; /* from 6.1 on */
} COMPAT_FLAVOUR;
struct css_set___other {
	struct cgroup___other *dfl_cgrp;
} COMPAT_FLAVOUR;
struct task_struct___groups {
	struct css_set___other *cgroups;
} COMPAT_FLAVOUR;

/* Is the task in the v2 group or in one below it? */
static __noinline int in_v2_cgroup(void *task)
{
	struct task_struct___groups *t = task;
	struct cgroup___other *cgrp = BPF_CORE_READ(t, cgroups, dfl_cgrp);
	__u32 level = BPF_CORE_READ(cgrp, level), i;

	for (i = 0; i < CG_LEVELS && i <= level; i++) {
		__u64 id = 0;

		if (bpf_core_field_exists(cgrp->ancestors))
			id = BPF_CORE_READ((struct cgroup___other *)read_ptr(
						   (void *)cgrp +
						   bpf_core_field_offset(cgrp->ancestors) + i * 8),
					   kn, id);
		else
			bpf_probe_read_kernel(
				&id, sizeof(id),
				(void *)cgrp + bpf_core_field_offset(cgrp->ancestor_ids) + i * 8);
		if (id == cg_id[0])
			return 1;
	}
	return 0;
}

/*
 * Is the task, whose type the verifier knows, wanted on this CPU? Idle tasks never are. It is also
 * decided while the session is inactive.
 */
static __always_inline _Bool is_wanted_task(struct task_struct *p, __u32 cpu, struct slot *s)
{
	struct task_struct___other *t = (void *)p;

	s->cpu = bpf_map_lookup_elem(&cpus, &cpu);
	s->self = 0;
	s->tid = typed_task_tid(p);
	s->tgid = task_tgid(p);
	if (!s->cpu || !s->cpu->watched || !s->tid || s->tid == TASK_OUTSIDE || !is_traced(s))
		return 0;
	if (filter_uid && BPF_CORE_READ(t, cred, uid.val) != wanted_uid)
		return 0;
	if (filter_cgroup == 1 && !in_v2_cgroup(p))
		return 0;
	return filter_cgroup < 2 || in_v1_cgroup(p);
}

#endif
