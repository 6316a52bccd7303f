/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* The sets of calls and results that -e chooses. */
#ifndef BPFPERF_STRACE_CALL_SET_H
#define BPFPERF_STRACE_CALL_SET_H

#include "strace/call.h"

/*
 * Marks the calls of a set as wanted in the table, and all others as not wanted: a comma list of
 * names, %CLASS, /REGEX and ?NAME (which may be missing), after ! all but those. NULL: all calls.
 * Returns 0, or -EINVAL after one sentence.
 */
int call_set__choose(struct call_table *t, const char *set);

/* Results of calls, for -e status=. */
enum call_status {
	STATUS_SUCCESSFUL = 1 << 0,
	STATUS_FAILED = 1 << 1,
	STATUS_UNFINISHED = 1 << 2,
	STATUS_ALL = 7,
};
/* Parses a comma list of results. Returns 0, or -EINVAL after one sentence. */
int call_status__parse(const char *set, unsigned int *status);

#endif
