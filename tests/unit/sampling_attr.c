// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * PERF_SAMPLE_PERIOD in the attr of sampling events: with it, the kernel takes each occurrence of a
 * software event or tracepoint as a sample, whatever the period. And attrs around AUX areas.
 */
#include <errno.h>

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

/* Offset of aux_action in the kernel's own headers (6.13). */
#define AUX_ACTION_OFF 116

static void test_aux(void)
{
	struct sampling_config cfg = { .cpu_cnt = 2, .tid_cnt = 1, .has_aux = true };
	struct event *ev = event__new(EVENT_PMU, "intel_pt//");
	struct perf_event_attr attr, first = { 0 };
	uint32_t action;

	ev->pmu = strdup("intel_pt");
	sampling_attr__fill_dummy(&attr, &cfg, &first, ev);
	ok(attr.context_switch && attr.text_poke, "record of intel_pt: switches and code changes");
	cfg.cpu_cnt = 0;
	sampling_attr__fill_dummy(&attr, &cfg, &first, ev);
	ok(!attr.context_switch && attr.text_poke, "record --per-thread of intel_pt: no switches");
	sampling_attr__fill_dummy(&attr, &cfg, &first, NULL);
	ok(!attr.context_switch && !attr.text_poke, "record without AUX areas: neither of them");
	ev->aux_action = EVENT_AUX_START_PAUSED;
	sampling_attr__fill_aux(&attr, ev, &cfg, false);
	memcpy(&action, (const char *)&attr + AUX_ACTION_OFF, sizeof(action));
	is_u64(action, 1, "aux-action=start-paused: the bit of the attr");
	ok(attr.sample_type & PERF_SAMPLE_CPU, "an AUX event: its records have CPUs");
	event__free(ev);

	ev = event__new(EVENT_HARDWARE, "cycles");
	cfg.how.aux_sample_sz = 4096;
	sampling_attr__fill(&attr, ev, &cfg, true, false);
	ok(attr.sample_type & PERF_SAMPLE_CPU, "an event beside an AUX event: samples have CPUs");
	sampling_attr__sample_aux(&attr, ev, &cfg.how);
	is_u64(attr.aux_sample_size, 4096, "--aux-sample: its size");
	ok(attr.sample_type & PERF_SAMPLE_AUX, "--aux-sample: the field of samples");
	ev->aux_sample_sz = 64;
	sampling_attr__sample_aux(&attr, ev, &cfg.how);
	is_u64(attr.aux_sample_size, 64, "aux-sample-size of the event: wins");
	event__free(ev);
}

/* cycles/period=N/ and cycles/freq=HZ/ win over -c and -F; -n takes no samples of either. */
static void test_terms(void)
{
	struct event *ev = event__new(EVENT_HARDWARE, "cycles");
	struct sampling_config cfg = { .how = { .freq_hz = 99 } };
	struct perf_event_attr attr;

	is_u64((uint64_t)event__set_common_term(ev, "period", "1234"), 0, "period=1234: a term");
	sampling_attr__fill(&attr, ev, &cfg, false, false);
	ok(!attr.freq && attr.sample_period == 1234, "period=1234: wins over -F 99");
	sampling_attr__fill(&attr, ev, &cfg, true, true);
	is_u64(attr.sample_period, 1234, "period=1234 of a member of {…}:S: it is sampled, too");
	ok(event__set_common_term(ev, "freq", "77") == 0, "freq=77: a term");
	sampling_attr__fill(&attr, ev, &cfg, false, false);
	ok(attr.freq && attr.sample_freq == 77, "freq=77: wins over period and -F 99");
	ok(event__set_common_term(ev, "period", "x") == -EINVAL, "the term period=x is refused");
	ok(event__set_common_term(ev, "freq", "0") == -EINVAL, "the term freq=0 is refused");
	cfg.how.no_samples = true;
	sampling_attr__fill(&attr, ev, &cfg, false, false);
	ok(attr.freq && !attr.sample_freq, "-n: the rate is 0");
	event__free(ev);
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
	test_aux();
	test_terms();
	return done_testing();
}
