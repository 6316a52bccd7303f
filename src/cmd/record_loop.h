/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* The time in which bpfperf record records: reads rings, switches files, waits for what ends it. */
#ifndef BPFPERF_CMD_RECORD_LOOP_H
#define BPFPERF_CMD_RECORD_LOOP_H

#include <stdbool.h>
#include <stdint.h>

struct record_file;
struct record_opts;
struct record_rings;
struct workload;

struct record_loop {
	const struct record_opts *opts;
	struct record_rings *rings;
	struct record_file *file;
	struct workload *workload; /* pid 0: none */
	uint64_t round_ns; /* end of the last round */
	bool has_begun; /* -D is over */
	bool cmd_ended; /* CMD has ended by itself */
};

/* SIGINT, SIGTERM and SIGUSR2 are from here on seen by the loop alone. */
void record_loop__block_signals(void);
/* Until CMD or those watched have ended, by a signal, by time or by size. 0 or -errno. */
int record_loop__run(struct record_loop *l);
/* After everything was disabled: what is left, in its last round. 0 or -errno. */
int record_loop__finish(struct record_loop *l);

#endif
