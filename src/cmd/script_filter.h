/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Selects samples of a recording by time, process, thread and name. */
#ifndef BPFPERF_CMD_SCRIPT_FILTER_H
#define BPFPERF_CMD_SCRIPT_FILTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct sample;

#define SCRIPT_FILTER_IDS 256

struct script_ids {
	uint32_t ids[SCRIPT_FILTER_IDS];
	size_t cnt; /* 0: all samples are wanted */
};

/* Zeroed: all samples are wanted. */
struct script_filter {
	uint64_t from_ns, to_ns; /* both included; to_ns 0: no end */
	struct script_ids pids, tids;
	const char *comms; /* names, separated by commas; NULL: all. Not owned */
};

/*
 * Parses "FROM,TO" in seconds, either may be empty; "FROM" alone has no end. 0, or -EINVAL
 * (logged).
 */
int script_filter__set_time(void *filter, const char *arg);
/* Parses numbers separated by commas. 0, or -EINVAL (logged). */
int script_filter__set_ids(struct script_ids *ids, const char *option, const char *arg);
/* Returns whether the sample is wanted. */
bool script_filter__passes(const struct script_filter *f, const struct sample *s);

#endif
