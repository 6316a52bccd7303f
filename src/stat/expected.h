/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Predicts the scheduling of bpfperf stat's events on this machine's core PMU, by src/plan/. */
#ifndef BPFPERF_STAT_EXPECTED_H
#define BPFPERF_STAT_EXPECTED_H

#include <stdbool.h>
#include <stddef.h>

#include "util/strbuf.h"

struct perf_counters;
struct event;
struct stat_plan;

/*
 * Simulates the `events` that `counters` has open: refused events take no counter. NULL: this
 * machine's PMU is unknown, or there are too many events. Nothing is logged.
 */
struct stat_plan *stat_plan__new(const struct event *const *events, size_t cnt,
				 const struct perf_counters *counters, bool by_cpu);
void stat_plan__free(struct stat_plan *p);

/*
 * Determines the machine now, for plans made later: on some PMUs by opening counters, which the
 * capabilities that are kept while CMD runs do not permit.
 */
void stat_plan__learn(void);
/* Returns the name of the core PMU in sysfs; "cpu" if none is found. Static storage. */
const char *stat_plan__core_pmu(void);

/*
 * Appends why event `at` is multiplexed (ran: it counted part of the time) or never runs, if the
 * plan predicts it. False, and nothing is appended, if the plan predicts another result: then other
 * users occupy the PMU.
 */
bool stat_plan__reason(const struct stat_plan *p, size_t at, bool ran, struct strbuf *out);
/*
 * Appends why the kernel refuses event `at` of these, alone or in its group, if the plan predicts
 * it and it is not for want of a counter beside its group. False: nothing is appended.
 */
bool stat_plan__refusal(const struct event *const *events, size_t cnt, size_t at, bool by_cpu,
			struct strbuf *out);

#endif
