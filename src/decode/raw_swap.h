/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#ifndef BPFPERF_DECODE_RAW_SWAP_H
#define BPFPERF_DECODE_RAW_SWAP_H

#include <stdint.h>

#include "event/tp_format.h"

/*
 * Brings a tracepoint's record of a machine of the other byte order into this
 * one's, in place: its numbers, its arrays of numbers, the words that tell where
 * dynamic data is, and that data. Nothing outside raw_sz bytes is touched.
 */
void raw_swap(const struct tp_format *fmt, uint8_t *raw, uint32_t raw_sz);

#endif
