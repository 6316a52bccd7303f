/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * What the user asked for, resolved: each event is either a tracepoint or
 * something perf_event_open() takes. Opens nothing in the kernel.
 */
#ifndef BPFPERF_EVENT_EVENT_H
#define BPFPERF_EVENT_EVENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "event/tp_format.h"

enum event_kind {
	EVENT_TRACEPOINT,
	EVENT_SOFTWARE, /* PERF_TYPE_SOFTWARE */
	EVENT_HARDWARE, /* PERF_TYPE_HARDWARE and PERF_TYPE_HW_CACHE */
	EVENT_PMU, /* a PMU of sysfs: PMU/terms/ */
	EVENT_RAW, /* rNNN */
};

struct event {
	enum event_kind kind;
	char *name; /* as printed: "sched:sched_switch", "cpu-clock", "msr/tsc/" */
	struct tp_format *fmt; /* EVENT_TRACEPOINT: owned */
	bool from_glob; /* came from a pattern: one that cannot be had is skipped, not an error */

	/* For perf_event_open(); of a tracepoint, type PERF_TYPE_TRACEPOINT and config its id. */
	uint32_t type;
	uint64_t config, config1, config2;

	/* Modifiers (perf's letters): u k h H G p P D I e b. */
	bool exclude_user, exclude_kernel, exclude_hv, exclude_host, exclude_guest, exclude_idle;
	bool pinned, exclusive;
	uint8_t precise_ip; /* 0–3 */
	/* Group: events with the same group >= 0 were written in one {…}, in order, leader first. -1: alone. */
	int group;

	char *filter; /* --filter of this event as written, or NULL */
};

struct event_list {
	struct event **events;
	size_t cnt, cap;
	int group_cnt; /* groups so far */
};

/*
 * Resolves one argument (a comma list of events, globs, groups) and appends
 * to `list`. 0; -ENOENT when something matches nothing (the sentence with the
 * nearest names was printed: the command's exit is 2); -EINVAL for bad
 * grammar (printed, with a caret); -errno for tracefs troubles (printed).
 * The same tracepoint asked for twice is there once.
 */
int event_list__add(struct event_list *list, const char *spec);
void event_list__free(struct event_list *list);
void event__free(struct event *ev);

#endif
