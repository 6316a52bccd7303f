/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * The map `budgets`: the number of records of each event, the events that are stopped, and the
 * number of records that these did not send.
 */
#ifndef BPFPERF_SESSION_EVENT_BUDGET_H
#define BPFPERF_SESSION_EVENT_BUDGET_H

#include <stdint.h>

struct event_list;

/* Returns the number of elements that the map needs for these events. */
uint32_t event_budget__elems(const struct event_list *events);
/* Stops an event on all CPUs, once the programs check for it (has_budgets). Returns 0 or -errno. */
int event_budget__set(int map_fd, uint16_t id);
/* Returns the records of the event while programs counted and it was not stopped. */
uint64_t event_budget__made(int map_fd, uint16_t id);
/* Returns the number of records not sent since the event was stopped; 0 if it is not stopped. */
uint64_t event_budget__skipped(int map_fd, uint16_t id);

#endif
