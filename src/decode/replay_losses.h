/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Records missing in a recording: counted while reading, logged at the end. */
#ifndef BPFPERF_DECODE_REPLAY_LOSSES_H
#define BPFPERF_DECODE_REPLAY_LOSSES_H

#include <stdint.h>

#include "data/lost.h"

struct perf_event_header;
struct recording;

struct replay_losses {
	/* Number of records lost during the recording: */
	uint64_t reported_cnt; /* by LOST records, which are located where records are missing */
	uint64_t summed_cnt; /* by perf's sums at the end, which include LOST records */
	uint64_t other_cnt; /* not included in the above */
	/* by bpfperf's LOST records of other causes than a full ring; not included above */
	uint64_t by_cause[LOST_CAUSE_CNT];
	uint64_t lost_samples_cnt; /* by LOST_SAMPLES records of any origin */
	uint64_t damaged_cnt, unknown_cnt; /* samples that could not be parsed */
	/* samples: a user part was to come later (deferred_chains.h), and is missing */
	uint64_t deferred_cnt;
	uint64_t late_cnt; /* records that arrived after younger ones */
};

/* Counts a skipped sample; err: result of perf_sample__parse(). */
void replay_losses__sample(struct replay_losses *gaps, int err);
/*
 * Counts a PERF_RECORD_LOST or _LOST_SAMPLES. Returns its number of lost records; 0 if it is
 * corrupt, or counts records that a filter dropped.
 */
uint64_t replay_losses__lost(struct replay_losses *gaps, const struct recording *rec,
			     const struct perf_event_header *hdr);
/* Returns the number of all lost records, each counted once; final when everything was read. */
uint64_t replay_losses__lost_cnt(const struct replay_losses *gaps);
/* Logs one warning for each kind of loss; what the command does with the other records: "shown". */
void replay_losses__log(const struct replay_losses *gaps, const struct recording *rec,
			const char *rest);

#endif
