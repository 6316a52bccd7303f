/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* The part of a configuration that only --format perf reads. */
#ifndef BPFPERF_SINK_PERF_DATA_H
#define BPFPERF_SINK_PERF_DATA_H

#include <stdbool.h>

#include "sink/sink.h"

#define PERF_DATA_EXTRA "perf_data"

/* Without it, records are not compressed, and an old file is replaced. */
struct perf_data_config {
	struct sink_extra extra;
	int zstd_level; /* 0: not compressed */
	bool keep_old; /* an existing recording stays, as FILE.old */
};

#endif
