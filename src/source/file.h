/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * The records of a recording in time order. A file holds them ring by ring, in rounds: no record
 * still to come can be older than the newest record of the round before the last, so older ones can
 * be handed on. Memory therefore holds two rounds. If a recording marks no rounds or large ones, it
 * holds at most FILE_HELD_MAX_SZ; then the older half is handed on.
 */
#ifndef BPFPERF_SOURCE_FILE_H
#define BPFPERF_SOURCE_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <linux/perf_event.h>

#include "source/source.h"

/*
 * Enough for a dump of record --overwrite, which is one round, with rings of the default size: 128
 * MiB, and the bookkeeping of each record.
 */
#define FILE_HELD_MAX_SZ (256u << 20)
/* Rings that were merged by time: what an interrupt wrote before an older record. */
#define FILE_MERGED_HELD_MAX_SZ (4u << 20)

struct recording;

/*
 * Returns the time of a record; 0 or UINT64_MAX: it has none. The thread that reads ahead calls it
 * while another thread runs the record_fn: neither may change data that the other one reads.
 */
typedef uint64_t (*file_time_fn)(void *ctx, const struct perf_event_header *hdr);

/*
 * A recording as a source: source__drain() reads it to the end, in a thread of its own if there are
 * several CPUs. The record_fn runs in the caller's thread; the events and formats of the recording
 * do not change during the call. 0, the value of the record_fn, or -errno after one sentence, with
 * all records before the damage handed on. The recording must outlive the source. NULL and errno
 * ENOMEM.
 */
struct source *file_source__new(struct recording *rec, file_time_fn time_of, void *ctx);

#endif
