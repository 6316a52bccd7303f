/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* The files that a recording's processes have mapped, for their build ids. */
#ifndef BPFPERF_SINK_PERF_DSOS_H
#define BPFPERF_SINK_PERF_DSOS_H

#include <stddef.h>
#include <stdint.h>

#include <linux/perf_event.h>

#include "util/texts.h"

struct data_writer;

struct perf_dsos {
	struct texts paths;
	uint64_t *inos; /* by index of the path: the last that was mapped under it */
	size_t cap;
};

/* A record PERF_RECORD_MMAP2 that tells of a file; others are ignored. */
void perf_dsos__record(struct perf_dsos *d, const struct perf_event_header *rec);
/*
 * The build ids of the kernel and of all files that are still what was mapped (by their inode) go
 * to the writer. 0 or -ENOMEM (said).
 */
int perf_dsos__put(struct perf_dsos *d, struct data_writer *w);
/* A zeroed struct is empty. */
void perf_dsos__free(struct perf_dsos *d);

#endif
