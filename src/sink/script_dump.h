/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* script --dump: every record of a recording, in the order of the file, field by field. */
#ifndef BPFPERF_SINK_SCRIPT_DUMP_H
#define BPFPERF_SINK_SCRIPT_DUMP_H

struct out;
struct recording;

/* 0, or -errno, logged (a failed write is logged by `out`). */
int script_dump(struct recording *rec, struct out *out);

#endif
