/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#ifndef BPFPERF_DECODE_RAW_SWAP_H
#define BPFPERF_DECODE_RAW_SWAP_H

#include <stdint.h>

#include "event/tp_format.h"

/*
 * Converts a tracepoint's record from the other byte order, in place: its numbers, arrays of
 * numbers, the locations of dynamic data, and that data. Bytes beyond raw_sz are not touched.
 */
void raw_swap(const struct tp_format *fmt, uint8_t *raw, uint32_t raw_sz);

#endif
