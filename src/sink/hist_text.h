/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* A report as text, in the columns of `perf report --stdio`. */
#ifndef BPFPERF_SINK_HIST_TEXT_H
#define BPFPERF_SINK_HIST_TEXT_H

#include "profile/hist.h"

struct block_cycles;
struct hist_names;
struct out;

/*
 * The samples that were selected: lists of names, separated by commas, and time; NULL: all. A
 * column that has one name alone is not printed, but stands in the head.
 */
struct hist_only {
	const char *dso, *comm, *symbol, *time;
	const char *symbol_part; /* a part of the name of each function that has a line */
	bool by_thread; /* by their numbers, too */
};

struct hist_text_config {
	struct out *out;
	/* Returns a thread's last name, for HIST_PID; valid until the next call. */
	const char *(*comm_of)(void *ctx, int32_t tid);
	void *ctx;
	struct hist_only only;
	bool is_quiet; /* the lines of entries alone */
	const char *separator; /* between columns; NULL: blanks */
	struct block_cycles *blocks; /* for cfg.is_blocks */
	struct hist_names *names; /* likewise */
};

/* Prints all events that have samples, or the first event if none has. 0 or -errno. */
int hist_text__print(const struct hist *hist, const struct hist_text_config *cfg);

#endif
