/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* --format stdio: samples of a recording summed up in the layout of `perf report --stdio`. */
#ifndef BPFPERF_SINK_HIST_SINK_H
#define BPFPERF_SINK_HIST_SINK_H

#include <stdbool.h>
#include <stdint.h>

#include "profile/hist.h"
#include "sink/hist_text.h"
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
	struct hist_only only;
	bool is_quiet; /* the lines of entries alone */
	uint64_t lost_cnt; /* samples lost according to the kernel's LOST records */
};

extern const struct sink_ops hist_sink;

/* Counts a sample that is not shown in the totals of its event. 0 or -ENOMEM. */
int hist_sink__count(struct sink *sink, const struct sample *s);

#endif
