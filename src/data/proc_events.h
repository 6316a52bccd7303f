/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * What was there before the recording, as the records that would have told of it: names of
 * threads, mappings of processes, the kernel. They have no trailer and no time; who writes them
 * gives them 0, as perf does.
 */
#ifndef BPFPERF_DATA_PROC_EVENTS_H
#define BPFPERF_DATA_PROC_EVENTS_H

#include <stdbool.h>
#include <stdint.h>

#include <linux/perf_event.h>

/* One record, valid during the call, its size a multiple of 8. Not 0: stops, and is returned. */
typedef int (*proc_events_fn)(void *ctx, const struct perf_event_header *rec);

/*
 * PERF_RECORD_COMM of all threads of a process and, with_maps, PERF_RECORD_MMAP2 of its executable
 * mappings. A process that is gone has none. 0, -ENOMEM, or what fn returned.
 */
int proc_events__process(int32_t pid, bool with_maps, proc_events_fn fn, void *ctx);
/* The same of all processes of /proc. */
int proc_events__all(bool with_maps, proc_events_fn fn, void *ctx);
/*
 * PERF_RECORD_MMAP of the kernel's text, as "[kernel.kallsyms]_text" or "…_stext" with its address
 * in pgoff, and of modules; PERF_RECORD_KSYMBOL of BPF programs and what leads to them. Nothing where /proc/kallsyms hides addresses. 0, or what fn returned.
 */
int proc_events__kernel(proc_events_fn fn, void *ctx);

#endif
