/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* -G PATH: a control group, of the one hierarchy (v2) or of a controller's own (v1). */
#ifndef BPFPERF_TARGET_CGROUP_H
#define BPFPERF_TARGET_CGROUP_H

#include <stdbool.h>
#include <stdint.h>

#include <linux/types.h>

#include "bpf/wire.h"

struct cgroup {
	bool is_v1;
	int fd; /* v2: its directory, for a BPF map; else -1 */
	uint64_t id; /* v1: the kernel's id of it */
	uint32_t offs[WIRE_CG_OFF_CNT]; /* v1: how a program gets from a task to its group */
};

/*
 * Finds the directory of `path`: itself, or below a place where control groups are mounted; for
 * v1 also how this kernel's types are laid out. 0, or -errno after one sentence.
 */
int cgroup__open(struct cgroup *cg, const char *path);
void cgroup__close(struct cgroup *cg);
/*
 * The directory of a group for perf_event_open(2): below the mount of perf's controller (v1) or of v2. The
 * fd, above 0, or -errno after one sentence.
 */
int cgroup__open_dir(const char *path);
/*
 * Processor time of a group's tasks, and of those below it, since it was made; of one of v2 alone, by its directory's
 * fd. 0 or -errno.
 */
int cgroup__times(int dir_fd, uint64_t *user_ns, uint64_t *system_ns);

#endif
