/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Opens everything that a run of bpfperf trace needs before it is active, in this order. */
#ifndef BPFPERF_CMD_TRACE_OPEN_H
#define BPFPERF_CMD_TRACE_OPEN_H

#include <stdbool.h>

struct sink_ops;
struct trace;

/* Opens the decoder of records into samples. 0 or -errno (logged). */
int trace_open__decoder(struct trace *t);
/* Opens the sink and its output. 0 or -errno. */
int trace_open__output(struct trace *t, const struct sink_ops *ops, bool has_cmd);
/*
 * Opens the kernel side: programs loaded, rings mapped, everything attached, nothing active. 0 or
 * -errno (logged).
 */
int trace_open__session(struct trace *t);

#endif
