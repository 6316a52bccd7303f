/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* latency -i: durations between the events of a recording. */
#ifndef BPFPERF_RUN_LATENCY_REPLAY_H
#define BPFPERF_RUN_LATENCY_REPLAY_H

struct latency_options;
struct latency_pairs;

/* Like latency_run(), of opts->input. */
int latency_replay(const struct latency_options *opts, struct latency_pairs *pairs);

#endif
