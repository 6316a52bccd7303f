/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Counts of probes by a BPF program, attached as probe_links.h can: from 6.6 on by one link for all
 * functions of a file. The kernel needs 0.02 to 0.2 s to release a perf event of each, and children
 * do not inherit them (evset__can_inherit()).
 */
#ifndef BPFPERF_SESSION_COUNT_SESSION_H
#define BPFPERF_SESSION_COUNT_SESSION_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct count_session;
struct event;
struct event_list;
struct targets;

/* Can this event be counted so here? Otherwise a perf event counts it. */
bool count_session__can(const struct event *ev);

struct count_config {
	const struct event_list *events; /* for which count_session__can(); outlive the session */
	const struct targets *targets;
	bool by_task; /* targets__by_task() */
	pid_t cmd_pid; /* CMD's process, watched from its exec on; 0: none, or not by_task */
};

/* Loads and attaches; nothing is counted yet. NULL and errno, after one sentence. */
struct count_session *count_session__open(const struct count_config *cfg);
/* Begins to count, or pauses. */
void count_session__switch(struct count_session *s, bool on);
/* Returns the hits so far on a CPU; cpu -1: on all. */
uint64_t count_session__hits(const struct count_session *s, size_t event, int cpu);
/*
 * Returns how often the kernel skipped the program, while another one ran on the CPU: hits of the
 * kernel's functions that are not counted, of all tasks.
 */
uint64_t count_session__missed(const struct count_session *s);
/* Detaches. NULL is accepted. */
void count_session__free(struct count_session *s);

#endif
