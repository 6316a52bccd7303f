/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* -G PATH: a control group, of the unified hierarchy (v2) or of a controller's own (v1). */
#ifndef BPFPERF_TARGET_CGROUP_H
#define BPFPERF_TARGET_CGROUP_H

#include <stdbool.h>
#include <stdint.h>

#include <linux/types.h>

#include "bpf/wire.h"

struct cgroup {
	bool is_v1;
	int fd; /* v2: the directory, for a BPF map; else -1 */
	uint64_t id; /* the kernel's id of the group */
	uint32_t offs[WIRE_CG_OFF_CNT]; /* v1: how a program gets from a task to its group */
};

/*
 * Finds the directory of `path`: the path itself, or the path below a mount of control groups; for
 * v1 it also reads the layout of this kernel's types. Returns 0, or -errno after one sentence.
 */
int cgroup__open(struct cgroup *cg, const char *path);
void cgroup__close(struct cgroup *cg);
/*
 * Opens the directory of a group for perf_event_open(2): below the mount of perf's controller (v1)
 * or of v2. Returns the fd, or -errno after one sentence.
 */
int cgroup__open_dir(const char *path);
/*
 * Reads the processor time of the tasks of a group and of the groups below it, since it was
 * created. v2 only, by its directory's fd. Returns 0 or -errno.
 */
int cgroup__times(int dir_fd, uint64_t *user_ns, uint64_t *system_ns);

#endif
