// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "stat/rate_slices.h"

#include "perf/perf_counters.h"

static void halve(struct rate_slices *s)
{
	size_t i;

	for (i = 0; i < RATE_SLICES / 2; i++) {
		uint64_t a = s->run_ns[2 * i], b = s->run_ns[2 * i + 1];

		s->rates[i] = (s->rates[2 * i] * (double)a + s->rates[2 * i + 1] * (double)b) /
			      (double)(a + b);
		s->run_ns[i] = a + b;
	}
	s->cnt = RATE_SLICES / 2;
	s->slice_ns *= 2;
}

void rate_slices__take(struct rate_slices *s, const struct counter_count *now)
{
	if (!s->slice_ns)
		s->slice_ns = RATE_SLICE_NS;
	if (now->running_ns < s->running_ns || now->value < s->value)
		s->running_ns = s->value = 0;
	if (now->running_ns - s->running_ns < s->slice_ns)
		return;
	if (s->cnt == RATE_SLICES)
		halve(s);
	s->run_ns[s->cnt] = now->running_ns - s->running_ns;
	s->rates[s->cnt] = (double)(now->value - s->value) / (double)s->run_ns[s->cnt];
	s->cnt++;
	s->running_ns = now->running_ns;
	s->value = now->value;
}
