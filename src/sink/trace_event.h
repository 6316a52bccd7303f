/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Writes objects of the Trace Event Format as text: the document "Trace Event Format" of the
 * Chromium project defines ph, ts, pid and tid.
 */
#ifndef BPFPERF_SINK_TRACE_EVENT_H
#define BPFPERF_SINK_TRACE_EVENT_H

#include <stdbool.h>
#include <stdint.h>

#include "util/strbuf.h"

struct trace_event_writer {
	struct strbuf *out; /* not owned */
	bool has_any; /* the next object needs a comma before it */
};

/* The "process" of the CPU tracks: larger than PID_MAX_LIMIT, so no real id. */
#define TRACE_EVENT_CPUS_PID 8388608
/*
 * The "thread" of a CPU in that process. Unique among all tids, since some viewers identify threads
 * by tid alone.
 */
#define TRACE_EVENT_CPU_TID(cpu) (TRACE_EVENT_CPUS_PID + 1 + (int64_t)(cpu))

/*
 * Begins an object {"ph":"B","ts":…,"pid":…,"tid":… — the caller appends members that begin with a
 * comma, then calls trace_event__end(). ts_ns becomes microseconds with three decimals.
 */
void trace_event__begin(struct trace_event_writer *w, char ph, uint64_t ts_ns, int64_t pid,
			int64_t tid);
/* Puts ,"dur":… of a slice (ph X), in microseconds with three decimals. */
void trace_event__dur(struct trace_event_writer *w, uint64_t ns);
/* ,"name":"…","cat":"…" */
void trace_event__name(struct trace_event_writer *w, const char *name, const char *cat);
void trace_event__end(struct trace_event_writer *w);
/* Puts a name (ph M): what is "process_name" or "thread_name". */
void trace_event__meta_name(struct trace_event_writer *w, const char *what, int64_t pid,
			    int64_t tid, const char *name);
/* Puts an order (ph M): what is "process_sort_index" or "thread_sort_index". */
void trace_event__meta_index(struct trace_event_writer *w, const char *what, int64_t pid,
			     int64_t tid, int64_t index);

#endif
