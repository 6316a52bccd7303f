/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* The records that perf's tools, not the kernel, write for AUX data. */
#ifndef BPFPERF_RUN_RECORDER_AUXTRACE_H
#define BPFPERF_RUN_RECORDER_AUXTRACE_H

#include <stddef.h>

struct aux_data;
struct auxtrace_setup;
struct evsel;
struct kernel_rings;
struct sampling_events;
struct data_writer;
struct kernel_ring;
struct perf_event_mmap_page;

/* Returns the first event with an AUX area; NULL: there is none. */
const struct evsel *recorder_auxtrace__event(const struct sampling_events *c);
/*
 * Writes PERF_RECORD_TIME_CONV, from the page of a ring: how times in AUX data are converted to
 * perf's. Nothing where the kernel does not say. 0 or like data_writer__write().
 */
int recorder_auxtrace__write_clock(struct data_writer *w, const struct perf_event_mmap_page *page);
/*
 * Writes PERF_RECORD_AUXTRACE_INFO (perf/auxtrace_info.h): the kind of data, and the parameters of
 * perf's decoder. 0 or like data_writer__write().
 */
int recorder_auxtrace__write_info(struct data_writer *w, const struct auxtrace_setup *setup);
/*
 * Writes PERF_RECORD_ID_INDEX: CPU, thread and index of the AUX area of each id in samples, by
 * which perf finds the decoder of a sample with AUX data. 0 or like data_writer__write().
 */
int recorder_auxtrace__write_ids(struct data_writer *w, const struct sampling_events *c,
				 const struct kernel_rings *rings);
/* Writes PERF_RECORD_AUXTRACE and the data. 0 or like data_writer__write_aux(). */
int recorder_auxtrace__write(struct data_writer *w, const struct kernel_ring *ring,
			     const struct aux_data *data);

#endif
