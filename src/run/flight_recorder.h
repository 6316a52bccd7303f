/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * trace --overwrite: the flight recorder's part of a run. Checks for a reason to dump (SIGUSR2, a
 * trigger's alarm) and makes the source dump.
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
	record_fn fn; /* the run's record function */
	void *ctx;
	int sig_fd;
	struct perf_buffer *alarms; /* NULL: no trigger */
	uint64_t *alarm_raised; /* in the programs' memory */
	bool is_due; /* an alarm was read from its ring */
	const char *pending; /* reason of the current dump, until its first record announces it */
	unsigned int dump_cnt;
};

/*
 * Opens the alarms. SIGUSR2 is blocked (stop_signals__block_usr2()). alarms_fd: the BPF perf-event
 * array of the alarms, -1: there are no triggers; alarm_raised: the programs' flag. 0, or -errno,
 * logged.
 */
int flight_recorder__open(struct flight_recorder *r, int alarms_fd, uint64_t *alarm_raised);
/* Adds the descriptors that signal a reason to dump to the loop. */
void flight_recorder__watch(struct flight_recorder *r, struct loop *l);
/*
 * Called after each round of the loop: dumps if there is a reason. 0, fn's result, or the sink's
 * error.
 */
int flight_recorder__check(struct flight_recorder *r);
/* Begins the last dump, after deactivate: announces it in the output. Returns the sink's error. */
int flight_recorder__end(struct flight_recorder *r);
/* Called before each record, row and loss: announces a pending dump. Returns the sink's error. */
int flight_recorder__before_record(struct flight_recorder *r);
void flight_recorder__close(struct flight_recorder *r);

#endif
