/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#ifndef BPFPERF_DECODE_SAMPLE_TEXT_H
#define BPFPERF_DECODE_SAMPLE_TEXT_H

#include "decode/perf_sample.h"
#include "decode/print.h"
#include "util/strbuf.h"

/*
 * Appends what a recorded tracepoint says, as its print format has it; without a format the bytes in
 * hex; nothing where the sample has no raw data. `swapped` is room for a record of the other byte
 * order, kept between calls. 0 or -ENOMEM.
 */
int sample_text__put(struct printer *pr, const struct perf_sample *s, struct strbuf *swapped,
		     struct strbuf *out);

#endif
