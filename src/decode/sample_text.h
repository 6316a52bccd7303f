/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#ifndef BPFPERF_DECODE_SAMPLE_TEXT_H
#define BPFPERF_DECODE_SAMPLE_TEXT_H

#include "decode/print.h"
#include "decode/sample.h"
#include "util/strbuf.h"

/*
 * Appends the text of a sample's raw data by the tracepoint's print format; in hex if the event has
 * no format; nothing if the sample has no raw data. 0 or -ENOMEM.
 */
int sample_text__put(struct printer *pr, const struct sample *s, struct strbuf *out);

#endif
