/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Marks of the watched tasks for the BPF programs: a byte for each thread id in the `tasks` map
 * (wire.h).
 */
#ifndef BPFPERF_SESSION_TARGET_MARKS_H
#define BPFPERF_SESSION_TARGET_MARKS_H

#include <stdint.h>
#include <sys/types.h>

struct comm_glob;
struct targets;

/* Returns the number of elements that the `tasks` BPF map needs: for every id up to pid_max. */
uint32_t targets__map_elems(void);
/*
 * Marks the threads of -p and -t in the `tasks` map; children of threads named only by -t are not
 * watched. Call it when the kernel programs already follow new threads; it repeats until it finds
 * no new one. Returns 0 or -errno.
 */
int targets__mark(const struct targets *t, int tasks_map_fd);
/* Marks one thread: state is an enum wire_task_state. 0 or -errno. */
int targets__mark_tid(int tasks_map_fd, pid_t tid, int state);
/*
 * Adds WIRE_TASK_NAMED to each thread of the machine with a matching name. Call it when the kernel
 * programs already follow renames. Returns 0 or -errno.
 */
int targets__mark_names(int tasks_map_fd, const struct comm_glob *glob);

#endif
