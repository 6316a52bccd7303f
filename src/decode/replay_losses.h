/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* What is missing of a recording: counted as it is read, told at the end. */
#ifndef BPFPERF_DECODE_REPLAY_LOSSES_H
#define BPFPERF_DECODE_REPLAY_LOSSES_H

#include <stdint.h>

struct perf_event_header;
struct recording;

struct replay_losses {
	/* Records that were lost while recording: */
	uint64_t told_cnt; /* by LOST records, which stand where they are missing */
	uint64_t summed_cnt; /* by perf's sums at the end, with those of LOST records */
	uint64_t other_cnt; /* not among these */
	uint64_t lost_samples_cnt; /* by LOST_SAMPLES records, whatever their origin */
	uint64_t damaged_cnt, unknown_cnt; /* samples that were not understood */
	uint64_t late_cnt; /* records that came after younger ones */
};

/* A sample was left out: what perf_sample__parse() returned. */
void replay_losses__sample(struct replay_losses *gaps, int err);
/* PERF_RECORD_LOST or _LOST_SAMPLES: how many records it tells of; damaged, or what a filter dropped: 0. */
uint64_t replay_losses__lost(struct replay_losses *gaps, const struct recording *rec,
			     const struct perf_event_header *hdr);
/* All that were lost, each once; known when everything was read. */
uint64_t replay_losses__lost_cnt(const struct replay_losses *gaps);
/* Warnings, one for each kind; what became of the rest: "shown". */
void replay_losses__tell(const struct replay_losses *gaps, const struct recording *rec,
			 const char *rest);

#endif
