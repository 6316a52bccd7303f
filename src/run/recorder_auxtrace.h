/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* The records that perf's tools, not the kernel, write for AUX data. */
#ifndef BPFPERF_RUN_RECORDER_AUXTRACE_H
#define BPFPERF_RUN_RECORDER_AUXTRACE_H

#include <stdbool.h>

struct aux_data;
struct sampling_events;
struct data_writer;
struct perf_event_mmap_page;
struct kernel_ring;

/*
 * Writes PERF_RECORD_AUXTRACE_INFO: the kind of data, and the parameters of perf's decoder; nothing
 * if no event has an AUX area. perf stops reading at AUX data without a decoder, so data of other
 * PMUs is declared as Intel BTS's with a PMU that does not exist: perf makes no samples of it, and
 * -D prints its bytes, 24 per line. `page` belongs to a ring with an AUX area. 0 or like
 * data_writer__write().
 */
int recorder_auxtrace__write_info(struct data_writer *w, const struct sampling_events *c,
				  const struct perf_event_mmap_page *page, bool snapshot);
/* Writes PERF_RECORD_AUXTRACE and the data. 0 or like data_writer__write_aux(). */
int recorder_auxtrace__write(struct data_writer *w, const struct kernel_ring *ring,
			     const struct aux_data *data);

#endif
