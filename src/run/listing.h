/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* The events of this machine, and whether each can be traced, counted or sampled. */
#ifndef BPFPERF_RUN_LISTING_H
#define BPFPERF_RUN_LISTING_H

#include <stdbool.h>
#include <stddef.h>

struct listing {
	const char *const *globs; /* run/listing_match.h; none: all events */
	size_t glob_cnt;
	bool *matched; /* by glob: set once it has matched something */
	const char *heading; /* of the events that come next */
	int err; /* the first -errno for which events are missing, logged */
	void *ctx;
	/* Gets each event: its name, its kind, and its uses, bits of enum perf_can. */
	void (*row)(struct listing *l, void *ctx, const char *name, const char *kind,
		    unsigned int can);
};

/* Passes all events that the globs want to l->row. */
void listing__run(struct listing *l);
/* Is a name wanted? Marks the globs that it matches. */
bool listing__wants(struct listing *l, const char *name, const char *kind);

#endif
