/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#ifndef BPFPERF_SESSION_PROG_SYNC_H
#define BPFPERF_SESSION_PROG_SYNC_H

/*
 * Returns when every BPF program that was running at the call has ended: runs this thread once on
 * each CPU, which is possible only when no program runs there. An RCU grace period would guarantee
 * it, too, in 10 to 50 ms; this takes about 20 µs per CPU. Limited to 50 ms, for CPUs that are
 * hogged.
 */
void prog_sync__all_cpus(void);

#endif
