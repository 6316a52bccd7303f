/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* --format perfetto of strace: a track per thread, on which each call is a slice. */
#ifndef BPFPERF_RUN_STRACE_PERFETTO_H
#define BPFPERF_RUN_STRACE_PERFETTO_H

struct call_format_ops;

/* The Trace Event Format (sink/trace_event.h); times are CLOCK_MONOTONIC. */
extern const struct call_format_ops call_perfetto;

#endif
