/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#ifndef BPFPERF_DECODE_PRINT_TRIAL_H
#define BPFPERF_DECODE_PRINT_TRIAL_H

#include <stdbool.h>

struct tp_format;

/*
 * Whether libtraceevent takes a format without harm: tried in a child, which may crash, loop
 * (a second of CPU time) or want too much memory. About a millisecond. false also where no child can be had.
 */
bool print_trial(const struct tp_format *fmt);

#endif
