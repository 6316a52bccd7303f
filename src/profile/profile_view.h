/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * What of a profile is looked at as one: the samples of an event, its
 * weights, or the time on and off the CPU together.
 */
#ifndef BPFPERF_PROFILE_PROFILE_VIEW_H
#define BPFPERF_PROFILE_PROFILE_VIEW_H

#include <stdbool.h>
#include <stdint.h>

#include "profile/profile.h"

struct profile_view {
	uint64_t events; /* bits of profile.events that are summed up */
	uint64_t old_events; /* those that they are compared with */
	bool by_weight; /* weights, else samples */
	bool is_ns; /* the values are nanoseconds */
	bool has_off; /* some of it is off the CPU */
	bool primary; /* shown where only one value can be */
	char name[96]; /* "cpu-clock", "on and off CPU" */
	char unit[16]; /* "samples", "ns", "events" */
};

/* At most as many views as this: two of each event, and time. */
#define PROFILE_MAX_VIEWS (2 * PROFILE_MAX_EVENTS + 1)

/*
 * All views that make sense, the primary ones first; by_weight: weights are primary. Returns how
 * many, at least 1 (of no event where the profile is empty).
 */
uint32_t profile_view__list(const struct profile *p, bool by_weight, struct profile_view *views);

/* Events of the older profile that are compared with nothing: none of their name. */
uint64_t profile_view__unmatched(const struct profile *p, const struct profile_view *views,
				 uint32_t cnt);

/* A value for the eye: "497", "1.250 s", "13.5 ms". */
void profile_view__put_value(const struct profile_view *view, uint64_t value, struct strbuf *sb);

/*
 * One sentence on the recording: "497 samples of cpu-clock, 0 lost, 3 truncated, 99 Hz, 5.003 s".
 * The same in every format.
 */
void profile__put_summary(const struct profile *p, struct strbuf *sb);

#endif
