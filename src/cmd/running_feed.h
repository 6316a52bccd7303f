/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* What ran before a recording began, told to its sink. */
#ifndef BPFPERF_CMD_RUNNING_FEED_H
#define BPFPERF_CMD_RUNNING_FEED_H

#include <stdbool.h>
#include <sys/types.h>

struct sink;
struct targets;

/*
 * Names of all threads and, with_maps, what gives addresses names: mappings, kernel, BPF programs.
 * targets: only of their processes (-p, -t) and CMD's, which waits for its exec; NULL: of all. Nothing
 * where the sink does not want to know. 0 or the sink's error.
 */
int running_feed__start(struct sink *sink, bool with_maps, const struct targets *targets,
			pid_t cmd_pid);

#endif
