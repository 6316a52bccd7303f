/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* report -I, script -I: the parts of the recorded machine, in the form of perf report. */
#ifndef BPFPERF_SINK_MACHINE_TEXT_H
#define BPFPERF_SINK_MACHINE_TEXT_H

#include "data/recording.h"

struct strbuf;

/* Puts the lines of a part; none, if the recording does not have it. */
void machine_text__put(const struct recording *rec, enum recorded_part part, struct strbuf *sb);

#endif
