/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* The records that perf has for AUX data: which are not the kernel's, but those of tools. */
#ifndef BPFPERF_CMD_RECORD_AUXTRACE_H
#define BPFPERF_CMD_RECORD_AUXTRACE_H

#include <stdbool.h>

struct aux_data;
struct capture;
struct data_writer;
struct record_ring;

/* Is there an event whose AUX data has a decoder in perf, which wants to be told of the PMU? */
bool record_auxtrace__has_info(const struct capture *c);
/* PERF_RECORD_AUXTRACE_INFO: the kind of data, and what its decoder needs. 0 or as data_writer__write(). */
int record_auxtrace__write_info(struct data_writer *w, const struct capture *c, bool snapshot);
/* PERF_RECORD_AUXTRACE and the data. 0 or as data_writer__write_aux(). */
int record_auxtrace__write(struct data_writer *w, const struct record_ring *ring,
			   const struct aux_data *data);

#endif
