/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * The kernel's own counters of classic tracepoints, beside the program that is attached to them:
 * when a program never ran although its tracepoint was hit, its records are missing, and nothing
 * else says so.
 *
 * A counter costs each hit up to 300 ns, so it is closed as soon as the program has run once. It
 * stays where it does more than watch: Linux 7.1 runs the program of a system call that reads user
 * memory only on CPUs that have an enabled event of its tracepoint.
 */
#ifndef BPFPERF_SESSION_TP_WITNESS_H
#define BPFPERF_SESSION_TP_WITNESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct event;

struct tp_witness {
	int *fds; /* cpu_cnt of each event, -1: none; NULL: not opened */
	uint64_t *hits; /* by event, after tp_witness__end(): hits that no program saw */
	bool *stays; /* by event */
	size_t cnt; /* of the classic path's events, in the order of their attach cookies */
	int cpu_cnt;
	int infos_fd; /* map: struct wire_tp_info by attach cookie */
};

/*
 * Prepares for cnt events; none is watched yet. infos_fd: the map in which the program notes that
 * it ran. Returns 0 or -ENOMEM.
 */
int tp_witness__init(struct tp_witness *w, size_t cnt, int infos_fd);
/*
 * Counts the hits of event i on all CPUs that are online, from now on. The program must be
 * attached: it then runs before a hit is counted. stays: even when it has run. An event that cannot
 * be opened is not watched, nor are those that do not stay where there are too many of them.
 */
void tp_witness__watch(struct tp_witness *w, size_t i, const struct event *ev, bool stays);
/* Closes the counters of programs that have run, but those that stay. */
void tp_witness__relax(struct tp_witness *w);
/* Fills `hits` in. */
void tp_witness__end(struct tp_witness *w);
/* A zeroed struct is accepted. */
void tp_witness__free(struct tp_witness *w);

#endif
