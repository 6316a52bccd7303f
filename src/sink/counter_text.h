/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Text and JSON of the counter values of records and rows. */
#ifndef BPFPERF_SINK_COUNTER_TEXT_H
#define BPFPERF_SINK_COUNTER_TEXT_H

#include "decode/sample.h"
#include "util/strbuf.h"

struct event_list;

/*
 * Puts " {msr/tsc/=123 cycles=~456 (50.0%) page-faults=<not counted>}": ~ marks a value that is
 * extrapolated, since the counter was multiplexed and ran for a part of the time only.
 */
void counter_text__put_text(const struct event_list *events, const struct counter_growth *counters,
			    struct strbuf *out);
/*
 * Puts ,"counters":{"msr/tsc/":{"value":123,"enabled":5,"running":5}}: the value as counted, null
 * if the counter never ran; "scaled", the extrapolated value, if it was multiplexed.
 */
void counter_text__put_json(const struct event_list *events, const struct counter_growth *counters,
			    struct strbuf *out);

#endif
