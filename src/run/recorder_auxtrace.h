/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* The records that perf has for AUX data: which are not the kernel's, but those of tools. */
#ifndef BPFPERF_RUN_RECORDER_AUXTRACE_H
#define BPFPERF_RUN_RECORDER_AUXTRACE_H

#include <stdbool.h>

struct aux_data;
struct sampling_events;
struct data_writer;
struct perf_event_mmap_page;
struct kernel_ring;

/*
 * PERF_RECORD_AUXTRACE_INFO: the kind of data, and what its decoder in perf needs; nothing where
 * no event has an AUX area. perf does not read a file any further than AUX data that it has no
 * decoder for. So the data of other PMUs is told to be Intel BTS's, of a PMU that is not there: of
 * that perf makes no samples, and -D shows it as bytes, 24 a line. `page` is of a ring with an AUX
 * area. 0 or as data_writer__write().
 */
int recorder_auxtrace__write_info(struct data_writer *w, const struct sampling_events *c,
				  const struct perf_event_mmap_page *page, bool snapshot);
/* PERF_RECORD_AUXTRACE and the data. 0 or as data_writer__write_aux(). */
int recorder_auxtrace__write(struct data_writer *w, const struct kernel_ring *ring,
			     const struct aux_data *data);

#endif
