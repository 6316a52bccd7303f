/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Thread names over time, from the kernel's process records. No name travels
 * with each record: at the moment a record is decoded, the name here is the
 * one the thread had when the record was made.
 */
#ifndef BPFPERF_MACHINE_TASKS_H
#define BPFPERF_MACHINE_TASKS_H

#include <stdint.h>

#include <linux/perf_event.h>

struct tasks;

/* NULL and errno ENOMEM. */
struct tasks *tasks__new(void);
void tasks__free(struct tasks *t);
/* Threads that were there before the records: reads /proc. 0 or -errno. */
int tasks__scan(struct tasks *t);
/* Of a recording: no name is looked for in /proc, and an ended thread keeps its name. Before anything else. */
void tasks__set_offline(struct tasks *t);
/* Applies FORK, COMM and EXIT at their time; other records are ignored. */
void tasks__on_record(struct tasks *t, const struct perf_event_header *hdr, uint64_t time_ns);
/* The thread's name; "swapper" for 0, ":TID" where nobody told. Valid until the next call. */
const char *tasks__comm(struct tasks *t, int32_t tid);

#endif
