/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* report --tasks and --mmaps: the threads of a recording, in the form of perf report. */
#ifndef BPFPERF_RUN_REPORT_TASKS_H
#define BPFPERF_RUN_REPORT_TASKS_H

#include <stdbool.h>

#include "sink/recording_text.h"

struct out;
struct recording;

/*
 * Reads a recording from its first record to the end, and prints its threads as a tree; has_maps:
 * with what was mapped. 0, or -errno (logged).
 */
int report_tasks__print(struct recording *rec, enum recording_header header, bool has_maps,
			struct out *out);

#endif
