/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * A recording's records in the order of time. They lie in it ring by ring, in
 * rounds: what is older than the newest record of the round before the last
 * cannot be preceded by anything that is still to come. So memory holds two
 * rounds, but FILE_HELD_MAX_SZ at most, where a recording marks none or large ones: then the older half goes.
 */
#ifndef BPFPERF_SOURCE_FILE_H
#define BPFPERF_SOURCE_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <linux/perf_event.h>

#include "data/record.h"

/* A dump of record --overwrite, one round, with rings of the default size: 128 MiB, and what is held of each record. */
#define FILE_HELD_MAX_SZ (256u << 20)

struct recording;

struct file_source_ops {
	/*
	 * The time of a record; 0 or UINT64_MAX: it has none. Called by a thread that reads ahead, while
	 * another is in record(): neither changes what the other reads.
	 */
	uint64_t (*time_of)(void *ctx, const struct perf_event_header *hdr);
	/* One record in its turn. */
	record_fn record;
};

struct file_stats {
	uint64_t late; /* records handed on after younger ones */
};

/*
 * Reads to the end, by a thread of its own where there are several CPUs; record() is called by this
 * one, and while it is, the recording's events and formats stay as they are. 0, what ops->record returned, or -errno after one sentence:
 * then all that stood before the damage was handed on.
 */
int file_source__read(struct recording *rec, const struct file_source_ops *ops, void *ctx,
		      struct file_stats *stats);

#endif
