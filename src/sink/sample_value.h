/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* The value of a recorded sample whose event has no fields: its period and its address. */
#ifndef BPFPERF_SINK_SAMPLE_VALUE_H
#define BPFPERF_SINK_SAMPLE_VALUE_H

#include "decode/sample.h"
#include "util/strbuf.h"

/* ,"period":4000000,"ip":"0x7f12345678"; without "ip" where the recording has no address. */
void sample_value__put_json(const struct sample *s, struct strbuf *out);
/* ,4000000,0x7f12345678: two cells of CSV; the second is empty where there is no address. */
void sample_value__put_csv(const struct sample *s, struct strbuf *out);

#endif
