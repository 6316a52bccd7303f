/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Shared by auxtrace_info.c and auxtrace_etm.c. */
#ifndef BPFPERF_PERF_AUXTRACE_PRIV_H
#define BPFPERF_PERF_AUXTRACE_PRIV_H

#include "perf/auxtrace_info.h"

/* Appends words. 0 or -ENOMEM. */
int auxtrace_info__put(struct auxtrace_info *info, const uint64_t *words, size_t cnt);
/* Returns the number in a file of the event's PMU in sysfs, or `missing`; base: of strtoull(). */
uint64_t auxtrace_info__read(const struct evsel *sel, const char *file, int base, uint64_t missing);

/* Like auxtrace_info__fill(), for cs_etm: a header, and the registers of the unit of each CPU. */
int auxtrace_etm__fill(struct auxtrace_info *info, const struct auxtrace_setup *setup);

#endif
