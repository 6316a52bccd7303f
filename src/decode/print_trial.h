/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#ifndef BPFPERF_DECODE_PRINT_TRIAL_H
#define BPFPERF_DECODE_PRINT_TRIAL_H

#include <stdbool.h>

struct tp_format;

/*
 * Parses the format in a child process with limits on CPU time (a second) and memory, and returns
 * whether libtraceevent survives. Takes about a millisecond. false also if no child can be created.
 */
bool print_trial(const struct tp_format *fmt);

#endif
