/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* The part of a configuration that only --format perfetto reads. */
#ifndef BPFPERF_SINK_PERFETTO_H
#define BPFPERF_SINK_PERFETTO_H

#include <stdbool.h>

#include "sink/sink.h"

#define PERFETTO_EXTRA "perfetto"

/* Without it, all records are there. */
struct perfetto_config {
	struct sink_extra extra;
	bool tasks_filtered; /* records of some tasks are missing: -p, -t, CMD and the like */
	bool cpus_filtered; /* records of some CPUs are missing */
	bool thinned; /* of each event only one record in so many */
};

#endif
