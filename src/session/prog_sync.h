/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#ifndef BPFPERF_SESSION_PROG_SYNC_H
#define BPFPERF_SESSION_PROG_SYNC_H

/*
 * Returns when every BPF program that was running when it was called has
 * ended: runs this thread once on each CPU, which programs cannot be
 * preempted for. An RCU grace period would do the same in 10 to 50 ms; this
 * takes about 20 µs a CPU. Bounded to 50 ms where CPUs are hogged.
 */
void prog_sync__all_cpus(void);

#endif
