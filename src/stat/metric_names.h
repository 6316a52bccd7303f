/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* The names of the metrics that stat -M knows on this machine. */
#ifndef BPFPERF_STAT_METRIC_NAMES_H
#define BPFPERF_STAT_METRIC_NAMES_H

#include <stdbool.h>

/*
 * Calls fn with the name of each metric, and of each group of metrics. 0, -ENOMEM, or another
 * -errno after one sentence.
 */
int metric_names__each(void (*fn)(void *ctx, const char *name, bool is_group), void *ctx);

#endif
