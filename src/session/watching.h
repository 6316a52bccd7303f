/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * The part of a session that every BPF object has: which CPUs and tasks are
 * watched (bpf/filter.bpf.h) and how tasks are followed (bpf/tasks.bpf.c).
 */
#ifndef BPFPERF_SESSION_WATCHING_H
#define BPFPERF_SESSION_WATCHING_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "session/cpus.h"
#include "session/targets.h"

struct bpf_link;
struct bpf_object;

struct watching {
	const struct targets *targets;
	bool by_task; /* targets__by_task() */
	pid_t cmd_pid; /* CMD's process, watched from its exec on; 0: none */
	size_t ring_sz; /* bytes of each ring that the source will open; 0: large */
	struct bpf_link *links[2]; /* follow_newtask, follow_exec */
	struct cpus cpus; /* from watching__start_cpus() on */
};

/* The knob batch_sz for rings of ring_sz. */
uint32_t watching__batch_sz(const struct watching *w);
/* Before anything is opened: can tasks be watched here? 0, or -EOPNOTSUPP after one sentence. */
int watching__check(const struct watching *w);
/* Between open and load: sizes of the maps, which programs are loaded. */
void watching__configure(const struct watching *w, struct bpf_object *obj);
/* After load: maps what is known of CPUs, and marks those that are watched. 0 or -errno. */
int watching__start_cpus(struct watching *w, struct bpf_object *obj);
/*
 * Follows tasks, then marks the watched ones. Before the events are attached,
 * so that these find the marks of their moment. 0 or -errno.
 */
int watching__start_tasks(struct watching *w, struct bpf_object *obj);
void watching__stop(struct watching *w);

/* The fd of the program that sends a CPU's batch (bpf/flush.bpf.c). */
int watching__flush_fd(const struct bpf_object *obj);

#endif
