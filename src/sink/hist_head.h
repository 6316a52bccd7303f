/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* The lines above the tables of a report. */
#ifndef BPFPERF_SINK_HIST_HEAD_H
#define BPFPERF_SINK_HIST_HEAD_H

#include "profile/hist.h"

struct hist_text_config;
struct strbuf;

/* Puts what was selected, and the number of lost samples. */
void hist_head__put(const struct hist *hist, const struct hist_text_config *cfg,
		    struct strbuf *out);
/* Puts the names and the totals of one event, or of the cnt events of a group. */
void hist_head__put_events(const struct hist_event *ev, uint32_t cnt,
			   const struct hist_config *hist, const struct hist_text_config *cfg,
			   struct strbuf *out);

#endif
