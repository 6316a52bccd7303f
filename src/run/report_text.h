/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* `report` of a text: what perf script printed, in place of a recording. */
#ifndef BPFPERF_RUN_REPORT_TEXT_H
#define BPFPERF_RUN_REPORT_TEXT_H

#include <stdbool.h>
#include <stddef.h>

struct hist_config;
struct out;

/*
 * Returns whether the input ("-": stdin; NULL: perf.data) begins as a text, not as a recording: 1
 * or 0, or -ECANCELED, logged. Nothing is taken of it. A named pipe, which can be opened but once,
 * becomes stdin, and *input "-".
 */
int report_text__is(const char **input);

struct report_text {
	const char *path;
	char *text;
	size_t len;
	bool has_chains;
};

/* Reads the text of perf script. 0 or -errno, logged: it is another text. */
int report_text__open(struct report_text *t, const char *input);
/* Prints the report; is_quiet: without the lines above it. 0 or -errno. */
int report_text__print(const struct report_text *t, const struct hist_config *cfg, bool is_quiet,
		       const char *separator, struct out *out);
void report_text__close(struct report_text *t);

#endif
