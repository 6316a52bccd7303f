/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Predicts the events of bpfperf stat on this machine's core PMU, by src/plan/. */
#ifndef BPFPERF_STAT_EXPECTED_H
#define BPFPERF_STAT_EXPECTED_H

#include <stdbool.h>
#include <stddef.h>

#include "util/strbuf.h"

struct perf_counters;
struct event;
struct stat_plan;

/*
 * Simulates those of `events` that `counters` has open: refused events take no counter. NULL: this
 * machine's PMU is not known, or there are too many. Nothing is logged.
 */
struct stat_plan *stat_plan__new(const struct event *const *events, size_t cnt,
				 const struct perf_counters *counters, bool by_cpu);
void stat_plan__free(struct stat_plan *p);

/* Name of the core PMU in sysfs; "cpu" where none is found. Static storage. */
const char *stat_plan__core_pmu(void);

/*
 * Appends why event `at` takes turns (ran: a part of the time) or never ran, if that is what the
 * plan expects of it; false, and nothing, where it expects anything else: then others are at the
 * PMU.
 */
bool stat_plan__reason(const struct stat_plan *p, size_t at, bool ran, struct strbuf *out);

#endif
