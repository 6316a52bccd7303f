/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * The events with common numbers on all PMUv3 of arm64, by their sysfs names on such machines:
 * libpfm4 knows them on arm64 only.
 */
#ifndef BPFPERF_EVENT_ARMV8_NAMES_H
#define BPFPERF_EVENT_ARMV8_NAMES_H

#include <stddef.h>
#include <stdint.h>

/* Finds the number of event `name` (case ignored): 0 and *code, or -ENOENT. */
int armv8_names__lookup(const char *name, uint64_t *code);
/* The i-th name, NULL after the last. */
const char *armv8_names__at(size_t i);

#endif
