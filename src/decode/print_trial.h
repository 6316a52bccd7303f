/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#ifndef BPFPERF_DECODE_PRINT_TRIAL_H
#define BPFPERF_DECODE_PRINT_TRIAL_H

#include <stdbool.h>

struct tp_format;

/*
 * Parses the format in a reader (reader/reader.h), and returns whether libtraceevent survives.
 * false also if there is no reader.
 */
bool print_trial(const struct tp_format *fmt);

#endif
