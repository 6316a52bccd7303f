/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * trace --overwrite: the flight recorder's part of a run. Checks for a reason to dump (SIGUSR2, a
 * trigger's alarm) and has the source dump.
 */
#ifndef BPFPERF_RUN_FLIGHT_RECORDER_H
#define BPFPERF_RUN_FLIGHT_RECORDER_H

#include <stdbool.h>
#include <stdint.h>

#include "source/live.h"

struct loop;
struct perf_buffer;
struct sink;

struct flight_recorder {
	struct live_source *src;
	struct sink *sink;
	record_fn fn; /* as the run's */
	void *ctx;
	int sig_fd;
	struct perf_buffer *alarms; /* NULL: no trigger */
	uint64_t *alarm_raised; /* in the programs' memory */
	bool is_due; /* an alarm was taken off its ring */
	const char *pending; /* reason of a dump under way that has no record yet */
	unsigned int dump_cnt;
};

/*
 * SIGUSR2 is blocked (stop_signals__block_usr2()). alarms_fd: the BPF perf-event array that alarms
 * come by, -1: there are no triggers; alarm_raised: the programs' flag. 0, or -errno after one
 * sentence.
 */
int flight_recorder__open(struct flight_recorder *r, int alarms_fd, uint64_t *alarm_raised);
/* Has the loop wake for what may be a reason to dump. */
void flight_recorder__watch(struct flight_recorder *r, struct loop *l);
/*
 * After each round of the loop: dumps where there is a reason. 0, what fn returned, or the sink's
 * error.
 */
int flight_recorder__check(struct flight_recorder *r);
/* The last dump begins, after deactivate: announces it in the output. The sink's error. */
int flight_recorder__end(struct flight_recorder *r);
/*
 * Before each record, row and loss: announces a dump that waited for its first one. The sink's
 * error.
 */
int flight_recorder__before_record(struct flight_recorder *r);
void flight_recorder__close(struct flight_recorder *r);

#endif
