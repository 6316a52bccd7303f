/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Thread names over time, from the kernel's process records. Records do not carry names: when a
 * record is decoded, the name kept here is the one that the thread had when the record was made.
 */
#ifndef BPFPERF_MACHINE_TASKS_H
#define BPFPERF_MACHINE_TASKS_H

#include <stdint.h>

struct proc_event;
struct tasks;

/* NULL and errno ENOMEM. */
struct tasks *tasks__new(void);
void tasks__free(struct tasks *t);
/* Reads the names of all running threads from /proc. 0 or -errno. */
int tasks__scan(struct tasks *t);
/* For a recording, before any other call: /proc is not read, and an ended thread keeps its name. */
void tasks__set_offline(struct tasks *t);
/* Applies starts, renames and ends of threads; other events are ignored. */
void tasks__on_event(struct tasks *t, const struct proc_event *ev, uint64_t time_ns);
/* The thread's name; "swapper" for 0, ":TID" if it is unknown. Valid until the next call. */
const char *tasks__comm(struct tasks *t, int32_t tid);

#endif
