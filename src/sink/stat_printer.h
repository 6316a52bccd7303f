/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Prints the results of bpfperf stat in one of its formats: rows or metrics, reasons, and the text
 * around.
 */
#ifndef BPFPERF_SINK_STAT_PRINTER_H
#define BPFPERF_SINK_STAT_PRINTER_H

#include <stdbool.h>

#include "sink/out.h"
#include "stat/stat.h"

struct stat_diagnosis;
struct stat_table;

/* Filled in by the command, except for the summary's figures. The caller closes out. */
struct stat_printer {
	struct out out;
	const struct stat_format *format;
	struct stat_style style;
	struct stat_summary summary; /* must be complete before stat_printer__end() */
	bool counted_only; /* for all threads of the machine: print only rows of threads that ran */
	/* Takes the rows of an interval, which are not printed then. NULL: they are. */
	int (*take)(void *ctx, const struct stat_table *table);
	void *take_ctx;
	unsigned long printed_cnt; /* number of printed intervals with --metric-only */
};

/* Prints the text above the first interval; without -I nothing. */
void stat_printer__begin(struct stat_printer *p);
/* Prints the rows of now. time_s: since the start, for intervals. 0 or -errno. */
int stat_printer__rows(struct stat_printer *p, const struct stat_table *table,
		       struct stat_diagnosis *why, double time_s);
/* The intervals have been printed: what follows is the sum of all. */
void stat_printer__begin_summary(struct stat_printer *p);
/* Prints all runs, where intervals have not printed them, and the text below. 0 or -errno. */
int stat_printer__end(struct stat_printer *p, const struct stat_table *table,
		      struct stat_diagnosis *why);

#endif
