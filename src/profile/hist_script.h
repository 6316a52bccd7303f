/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* The text of `perf script`, summed up in the rows of a report. */
#ifndef BPFPERF_PROFILE_HIST_SCRIPT_H
#define BPFPERF_PROFILE_HIST_SCRIPT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "profile/hist.h"
#include "profile/script_text.h"
#include "util/strbuf.h"

/* No recording has so many; a text may have any name in their place. */
#define HIST_SCRIPT_MAX_EVENTS 4096

struct hist_script {
	struct hist *hist;
	struct u64map comms; /* thread id → index of its last name in hist.texts */
	struct u64map by_event; /* index of its name in hist.texts → event */
	uint32_t *event_names; /* of each event, in hist.texts */
	size_t event_cnt, event_cap;
	uint32_t *frames;
	size_t frame_cap;
	struct strbuf name; /* of one function, or of a thread */
};

/* Returns whether some of the first samples have callchains. */
bool hist_script__has_chains(const char *text, size_t len);
/*
 * Adds all samples to a hist, which is empty, and names its events. Source lines are unknown; a
 * tracepoint's text is that of its line. 0, -ENOMEM, or -E2BIG, logged: too many events.
 * hist_script__free() in any case.
 */
int hist_script__read(struct hist_script *hs, struct hist *hist, const char *text, size_t len);
/* The last name of a thread; for hist_text_config.comm_of, with the hist_script as ctx. */
const char *hist_script__comm(void *ctx, int32_t tid);
void hist_script__free(struct hist_script *hs);

#endif
