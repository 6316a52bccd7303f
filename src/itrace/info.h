/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* AUXTRACE_INFO of Intel PT (tools/perf/util/intel-pt.h): how its times and packets are read. */
#ifndef BPFPERF_ITRACE_INFO_H
#define BPFPERF_ITRACE_INFO_H

#include "itrace/wire.h"

struct perf_event_header;
struct recording;

/*
 * Sets the members about time and processor, and is_snapshot. 0; -ENOENT: the record is of another
 * trace unit; -EBADMSG: it is too short.
 */
int info__parse(struct itrace_job *job, const struct recording *rec,
		const struct perf_event_header *hdr);
/* The frequency of the TSC, by which times are computed; 0: unknown. */
uint64_t info__tsc_hz(const struct itrace_job *job);

#endif
