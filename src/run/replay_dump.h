/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* script --dump: the records of a recording, with the packets of a processor's trace. */
#ifndef BPFPERF_RUN_REPLAY_DUMP_H
#define BPFPERF_RUN_REPLAY_DUMP_H

struct out;
struct replay;

/* 0, or -errno, logged (a failed write is logged by `out`). Missing records are logged. */
int replay_dump__print(struct replay *r, struct out *out);

#endif
