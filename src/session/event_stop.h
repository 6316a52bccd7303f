/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* The map `stopped`: events that send nothing any more, and what each of them would have sent. */
#ifndef BPFPERF_SESSION_EVENT_STOP_H
#define BPFPERF_SESSION_EVENT_STOP_H

#include <stdint.h>

struct event_list;

/* How many elements the map needs for these events. */
uint32_t event_stop__elems(const struct event_list *events);
/* Stops an event on all CPUs, once the programs look (any_stopped). 0 or -errno. */
int event_stop__set(int map_fd, uint16_t id);
/* What it would have sent since; 0 where it is not stopped. */
uint64_t event_stop__skipped(int map_fd, uint16_t id);

#endif
