/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * The part of a session that every BPF object has: which CPUs and tasks are
 * watched (bpf/filter.bpf.h) and how tasks are followed (bpf/tasks.bpf.c).
 */
#ifndef BPFPERF_SESSION_WATCHING_H
#define BPFPERF_SESSION_WATCHING_H

#include <stdbool.h>
#include <sys/types.h>

#include "session/targets.h"

struct bpf_link;
struct bpf_object;

struct watching {
	const struct targets *targets;
	bool by_task; /* targets__by_task() */
	pid_t cmd_pid; /* CMD's process, watched from its exec on; 0: none */
	struct bpf_link *links[2]; /* follow_newtask, follow_exec */
};

/* Before anything is opened: can tasks be watched here? 0, or -EOPNOTSUPP after one sentence. */
int watching__check(const struct watching *w);
/* Between open and load: sizes of the maps, which programs are loaded. */
void watching__configure(const struct watching *w, struct bpf_object *obj);
/* After load: the watched CPUs. 0 or -errno. */
int watching__start_cpus(const struct watching *w, struct bpf_object *obj);
/*
 * Follows tasks, then marks the watched ones. Before the events are attached,
 * so that these find the marks of their moment. 0 or -errno.
 */
int watching__start_tasks(struct watching *w, struct bpf_object *obj);
void watching__stop(struct watching *w);

#endif
