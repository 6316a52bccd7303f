/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* --format stdio: samples of a recording summed up in the layout of `perf report --stdio`. */
#ifndef BPFPERF_SINK_HIST_SINK_H
#define BPFPERF_SINK_HIST_SINK_H

#include <stdbool.h>
#include <stdint.h>

#include "profile/hist.h"
#include "sink/hist_text.h"
#include "sink/sample_facts.h"
#include "sink/sink.h"

/*
 * Name of hist_sink's part in sink_config.extras; it must be complete when the sink begins,
 * lost_cnt when it ends.
 */
#define HIST_EXTRA "hist"

struct hist_sink_config {
	struct sink_extra extra;
	struct hist_config hist;
	bool inlined; /* name inlined functions in all callchains, not only in unwound ones */
	/* Returns a thread's last name, for HIST_PID; valid until the next call. */
	const char *(*comm_of)(void *ctx, int32_t tid);
	void *ctx;
	struct sample_facts_config facts;
	struct hist_only only;
	bool is_quiet; /* the lines of entries alone */
	bool is_relative; /* shares are of samples with lines */
	/* regular expression: callees of such functions are not in callchains; NULL: all are */
	const char *ignored_callees;
	bool only_parents; /* samples without a caller that is a parent have no lines */
	const char *separator; /* between columns; NULL: blanks */
	uint64_t lost_cnt; /* samples lost according to the kernel's LOST records */
};

extern const struct sink_ops hist_sink;

/*
 * Counts a sample that is not shown in the totals of its event, and in a hierarchy in the lines
 * above it. 0 or -ENOMEM.
 */
int hist_sink__count(struct sink *sink, const struct sample *s);

/* For struct opt: the arguments of these options. 0 or -EINVAL (logged). */
int hist_sink__set_percentage(void *hist_sink_config, const char *arg);
int hist_sink__set_parent(void *hist_sink_config, const char *arg);
int hist_sink__set_ignored(void *hist_sink_config, const char *arg);
int hist_sink__set_separator(void *hist_sink_config, const char *arg);

#endif
