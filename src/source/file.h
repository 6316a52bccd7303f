/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * A recording's records in the order of time. They lie in it ring by ring, in rounds: what is older
 * than the newest record of the round before the last cannot be preceded by anything that is still
 * to come. So memory holds two rounds, but FILE_HELD_MAX_SZ at most, where a recording marks none
 * or large ones: then the older half goes.
 */
#ifndef BPFPERF_SOURCE_FILE_H
#define BPFPERF_SOURCE_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <linux/perf_event.h>

#include "source/source.h"

/*
 * A dump of record --overwrite, one round, with rings of the default size: 128 MiB, and what is
 * held of each record.
 */
#define FILE_HELD_MAX_SZ (256u << 20)

struct recording;

/*
 * The time of a record; 0 or UINT64_MAX: it has none. Called by a thread that reads ahead, while
 * another is in the record_fn: neither changes what the other reads.
 */
typedef uint64_t (*file_time_fn)(void *ctx, const struct perf_event_header *hdr);

/*
 * A recording as a source: source__drain() reads it to the end, by a thread of its own where there
 * are several CPUs. The record_fn is called by the caller's thread, and while it is, the
 * recording's events and formats stay as they are. 0, what the record_fn returned, or -errno after
 * one sentence: then all records before the damage were handed on. The recording outlives the
 * source. NULL and errno ENOMEM.
 */
struct source *file_source__new(struct recording *rec, file_time_fn time_of, void *ctx);

#endif
