/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * The part of a profile that is shown as one: the samples of an event, its weights, or the time on
 * and off the CPU together.
 */
#ifndef BPFPERF_PROFILE_PROFILE_VIEW_H
#define BPFPERF_PROFILE_PROFILE_VIEW_H

#include <stdbool.h>
#include <stdint.h>

#include "profile/profile.h"

struct profile_view {
	uint64_t events; /* set of profile.events that are summed up */
	uint64_t old_events; /* set of older events to compare with */
	bool by_weight; /* sum up weights, else samples */
	bool is_ns; /* the values are nanoseconds */
	bool has_off; /* some of the value is off the CPU */
	bool primary; /* shown if the format shows one value only */
	char name[96]; /* "cpu-clock", "on and off CPU" */
	char unit[16]; /* "samples", "ns", "events" */
};

/* Maximum number of views: two for each event, and time. */
#define PROFILE_MAX_VIEWS (2 * PROFILE_MAX_EVENTS + 1)

/*
 * Lists all meaningful views, the primary ones first; by_weight: weights are primary. Returns their
 * number, at least 1 (a view without events if the profile is empty).
 */
uint32_t profile_view__list(const struct profile *p, bool by_weight, struct profile_view *views);

/* Returns the set of older events that match no new event by name. */
uint64_t profile_view__unmatched(const struct profile *p, const struct profile_view *views,
				 uint32_t cnt);

/* Puts a value in a readable unit: "497", "1.250 s", "13.5 ms". */
void profile_view__put_value(const struct profile_view *view, uint64_t value, struct strbuf *sb);

/*
 * Puts one sentence about the recording: "497 samples of cpu-clock, 0 lost, 3 truncated, 99 Hz,
 * 5.003 s". All formats share it.
 */
void profile__put_summary(const struct profile *p, struct strbuf *sb);

#endif
