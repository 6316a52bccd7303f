/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* The records of BPF programs in the form of `perf script -F bpf-output`. */
#ifndef BPFPERF_SINK_SCRIPT_RAW_H
#define BPFPERF_SINK_SCRIPT_RAW_H

#include <stdint.h>

#include "util/strbuf.h"

/* Puts the bytes in hex, eight in a line, and the text that they are, if they are one. */
void script_raw__put(struct strbuf *out, const uint8_t *raw, uint32_t sz);

#endif
