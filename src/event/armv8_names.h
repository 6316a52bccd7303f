/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Names of events that libpfm4 knows on arm64 only, so that they work everywhere: those with common
 * numbers on all PMUv3 by their sysfs names on such machines, those of Arm's cores, Apple's.
 */
#ifndef BPFPERF_EVENT_ARMV8_NAMES_H
#define BPFPERF_EVENT_ARMV8_NAMES_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Is there a table for `pmu`: "armv8" (the numbers below 0x40), "armv8/neoverse-n1" and other
 * cores, "apple-m1"?
 */
bool armv8_names__has_pmu(const char *pmu);
/* Finds the number of event `name` (case ignored) of `pmu`: 0 and *code, or -ENOENT. */
int armv8_names__lookup(const char *pmu, const char *name, uint64_t *code);
/* Calls `fn` for each name of `pmu`, by number. */
void armv8_names__each(const char *pmu, void (*fn)(void *ctx, const char *name), void *ctx);

#endif
