/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * `why` of a recording: of sched:sched_switch and sched:sched_waking (or sched_wakeup), as `perf
 * sched record` makes it, with call chains if kinds of waits are to be told apart.
 */
#ifndef BPFPERF_RUN_WHY_REPLAY_H
#define BPFPERF_RUN_WHY_REPLAY_H

struct why_options;

/* Returns the exit status of the command. */
int why_replay(const struct why_options *opts);

#endif
