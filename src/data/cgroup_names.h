/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* The paths of a recording's control groups, by the ids that samples have. */
#ifndef BPFPERF_DATA_CGROUP_NAMES_H
#define BPFPERF_DATA_CGROUP_NAMES_H

#include <linux/perf_event.h>

#include "util/texts.h"
#include "util/u64map.h"

/* Zeroed: empty. */
struct cgroup_names {
	struct u64map by_id; /* → index in texts */
	struct texts texts;
};

void cgroup_names__free(struct cgroup_names *c);
/* Takes a record; those of other types are passed over. 0 or -ENOMEM. */
int cgroup_names__take(struct cgroup_names *c, const struct perf_event_header *hdr);
/* Returns the path, with control characters escaped; NULL: the recording has none. */
const char *cgroup_names__get(const struct cgroup_names *c, uint64_t id);

#endif
