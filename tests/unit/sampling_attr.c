// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * PERF_SAMPLE_PERIOD in the attr of sampling events: with it, the kernel takes each occurrence of a
 * software event or tracepoint as a sample, whatever the period.
 */
#include "perf/perf_fd.h"
#include "perf/sampling_priv.h"

#include "event/event.h"
#include "tap.h"

static const struct {
	const char *name;
	enum event_kind kind;
	uint32_t type;
	uint64_t config;
	bool every; /* PERF_SAMPLE_PERIOD makes each occurrence a sample */
} rows[] = {
	{ "a tracepoint", EVENT_TRACEPOINT, PERF_TYPE_TRACEPOINT, 77, true },
	{ "page-faults", EVENT_SOFTWARE, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS, true },
	{ "context-switches", EVENT_SOFTWARE, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CONTEXT_SWITCHES,
	  true },
	{ "cpu-clock", EVENT_SOFTWARE, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK, false },
	{ "task-clock", EVENT_SOFTWARE, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_TASK_CLOCK, false },
	{ "cycles", EVENT_HARDWARE, PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES, false },
};

static bool has_period(const struct event *ev, uint64_t period, uint64_t freq_hz, bool wanted)
{
	struct sampling_config cfg = {
		.how = { .period = period, .freq_hz = freq_hz, .period_field = wanted },
	};
	struct perf_event_attr attr;

	sampling_attr__fill(&attr, ev, &cfg, false, false);
	return attr.sample_type & PERF_SAMPLE_PERIOD;
}

static bool has_period_bpf(const struct event *ev, uint64_t period, uint64_t freq_hz)
{
	const struct perf_sampling how = { .period = period, .freq_hz = freq_hz };
	struct perf_event_attr attr;

	perf_fd__sampling_attr(&attr, ev, &how);
	return attr.sample_type & PERF_SAMPLE_PERIOD;
}

int main(void)
{
	size_t i;

	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct event *ev = event__new(rows[i].kind, rows[i].name);

		ev->type = rows[i].type;
		ev->config = rows[i].config;
		ok(has_period(ev, 1000, 0, true) == !rows[i].every,
		   "record -P -c 1000 of %s: one in 1000", ev->name);
		ok(has_period(ev, 1, 0, true), "record -P -c 1 of %s: the period is recorded",
		   ev->name);
		ok(has_period(ev, 0, 99, false), "record -F 99 of %s: the period is recorded",
		   ev->name);
		ok(has_period_bpf(ev, 1000, 0) == !rows[i].every,
		   "stack -c 1000 of %s: one in 1000", ev->name);
		ok(has_period_bpf(ev, 1, 0), "stack -c 1 of %s: the period is known", ev->name);
		ok(has_period_bpf(ev, 0, 99), "stack -F 99 of %s: the period is known", ev->name);
		event__free(ev);
	}
	return done_testing();
}
