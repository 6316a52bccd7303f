/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* The names that perf gives to the kernel's software, hardware and cache events. */
#ifndef BPFPERF_EVENT_NAMES_H
#define BPFPERF_EVENT_NAMES_H

#include <stdint.h>

#include "event/event.h"

struct event_name {
	const char *name;
	const char *alias; /* second name, or NULL */
	uint32_t type; /* PERF_TYPE_SOFTWARE, PERF_TYPE_HARDWARE or EVENT_TYPE_TOOL */
	uint64_t config;
};

/* Software events, hardware events, tool events; ends with name NULL. */
extern const struct event_name event_names[];

/*
 * Parses a name of the table, a cache event (CACHE[-OP][-RESULT], the two in either order, case
 * ignored: "LLC-loads", "l1d-load-misses", "dTLB") or rNNN (config in hexadecimal). Sets kind, type
 * and config. 0 or -ENOENT.
 */
int event_names__lookup(const char *name, enum event_kind *kind, uint32_t *type, uint64_t *config);

/*
 * Writes the name of the i-th cache event that exists on some CPU to buf, as perf lists it
 * ("L1-dcache-load-misses"). 0, or -ENOENT after the last.
 */
int event_names__cache(unsigned int i, char *buf, size_t buf_sz);

#endif
