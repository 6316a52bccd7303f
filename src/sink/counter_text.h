/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Counters with records and in rows, as text and JSON print them. */
#ifndef BPFPERF_SINK_COUNTER_TEXT_H
#define BPFPERF_SINK_COUNTER_TEXT_H

#include "decode/sample.h"
#include "util/strbuf.h"

struct event_list;

/*
 * " {msr/tsc/=123 cycles=~456 (50.0%) page-faults=<not counted>}": ~ where the counter shared its
 * hardware and the value is extrapolated from the part of the time that it did count.
 */
void counter_text__put_text(const struct event_list *events, const struct counter_growth *counters,
			    struct strbuf *out);
/*
 * ,"counters":{"msr/tsc/":{"value":123,"enabled":5,"running":5}}: value as counted, null where it
 * never did; "scaled", the extrapolated value, where it did not count all the time.
 */
void counter_text__put_json(const struct event_list *events, const struct counter_growth *counters,
			    struct strbuf *out);

#endif
