/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* The value of a recorded sample without fields: its period and its address. */
#ifndef BPFPERF_SINK_SAMPLE_VALUE_H
#define BPFPERF_SINK_SAMPLE_VALUE_H

#include "decode/sample.h"
#include "util/strbuf.h"

/* Puts ,"period":4000000,"ip":"0x7f12345678"; no "ip" if the recording has no addresses. */
void sample_value__put_json(const struct sample *s, struct strbuf *out);
/* Puts ,4000000,0x7f12345678: two cells of CSV; the second is empty if there is no address. */
void sample_value__put_csv(const struct sample *s, struct strbuf *out);

#endif
