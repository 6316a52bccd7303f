/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* --format stdio: samples of a recording summed up as `perf report --stdio` prints them. */
#ifndef BPFPERF_SINK_HIST_SINK_H
#define BPFPERF_SINK_HIST_SINK_H

#include <stdbool.h>
#include <stdint.h>

#include "profile/hist.h"
#include "sink/sink.h"

/* For sink_config.extras of hist_sink; complete when the sink begins, lost_cnt when it ends. */
#define HIST_EXTRA "hist"

struct hist_sink_config {
	struct sink_extra extra;
	const char
		*printk_formats; /* the recorded kernel's constant strings; NULL: none are known */
	struct hist_config hist;
	bool inlined; /* inlined functions are named in all callchains, not only in unwound ones */
	/* A thread's last name, for HIST_PID; valid until the next call. */
	const char *(*comm_of)(void *ctx, int32_t tid);
	void *ctx;
	uint64_t lost_cnt; /* samples that the kernel lost, by its records of them */
};

extern const struct sink_ops hist_sink;

#endif
