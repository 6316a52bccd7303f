/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* The table of -c: calls, errors and time by system call. */
#ifndef BPFPERF_STRACE_SUMMARY_H
#define BPFPERF_STRACE_SUMMARY_H

#include <stddef.h>
#include <stdint.h>

#include "strace/call.h"
#include "util/strbuf.h"

struct summary_row {
	const char *name;
	struct strace_count count;
};

enum summary_sort {
	SORT_TIME,
	SORT_MIN_TIME,
	SORT_MAX_TIME,
	SORT_AVG_TIME,
	SORT_CALLS,
	SORT_ERRORS,
	SORT_NAME,
	SORT_NOTHING,
};

struct summary_opts {
	enum summary_sort sort;
	const char *columns; /* -U; NULL: those of strace */
};

/* Parses the arguments of -S and -U. Return 0, or -EINVAL after one sentence. */
int summary__parse_sort(const char *name, enum summary_sort *sort);
int summary__check_columns(const char *list);
/* Sorts the rows, and appends the table. */
void summary__print(struct strbuf *out, struct summary_row *rows, size_t cnt,
		    const struct summary_opts *opts);

#endif
