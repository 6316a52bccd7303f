/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * trace --overwrite: the flight recorder's part of a run. Waits for a reason to dump (SIGUSR2, a
 * trigger's alarm) and has the source dump.
 */
#ifndef BPFPERF_RUN_FLIGHT_RECORDER_H
#define BPFPERF_RUN_FLIGHT_RECORDER_H

#include <stdbool.h>
#include <stdint.h>

#include "run/loop.h"

struct perf_buffer;
struct sink;

struct flight_recorder {
	struct loop_view view; /* for the loop; its ctx is this recorder */
	struct live_source *src;
	struct sink *sink;
	record_fn fn; /* as the loop's */
	void *ctx;
	int sig_fd;
	struct perf_buffer *alarms; /* NULL: no trigger */
	uint64_t *alarm_raised; /* in the programs' memory */
	bool is_due; /* an alarm was taken off its ring */
	const char *pending; /* why a dump is under way that has no record yet */
	unsigned int dump_cnt;
};

/* SIGUSR2 is from here on a reason to dump, and no longer the end of bpfperf. */
void flight_recorder__block_signal(void);
/*
 * alarms_fd: the BPF perf-event array that alarms come by, -1: there are no triggers; alarm_raised: the
 * programs' flag. 0, or -errno after one sentence.
 */
int flight_recorder__open(struct flight_recorder *r, int alarms_fd, uint64_t *alarm_raised);
/* The last dump begins, after deactivate: says so in the output. The sink's error. */
int flight_recorder__end(struct flight_recorder *r);
/* Before each record, row and loss: where a dump waited for its first one, says that it begins. The sink's error. */
int flight_recorder__before_record(struct flight_recorder *r);
void flight_recorder__close(struct flight_recorder *r);

#endif
