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

/* The event of a text; it stays in the list. */
static struct event *event_of(struct event_list *list, const char *spec)
{
	event_list__free(list);
	is_u64((uint64_t)event_list__add(list, spec), 0, spec);
	return list->events[0];
}

/* cycles/period=N/ and cycles/freq=HZ/ win over -c and -F; -n takes no samples of either. */
static void test_rates(void)
{
	struct sampling_config cfg = { .how = { .freq_hz = 99 } };
	struct event_list list = { 0 };
	struct perf_event_attr attr;
	struct event *ev;

	ev = event_of(&list, "cycles/freq=5,period=1234/");
	sampling_attr__fill(&attr, ev, &cfg, false, false);
	ok(!attr.freq && attr.sample_period == 1234, "period=1234: wins over freq=5 and -F 99");
	sampling_attr__fill(&attr, ev, &cfg, true, true);
	is_u64(attr.sample_period, 1234, "period=1234 of a member of {…}:S: it is sampled, too");
	ev = event_of(&list, "cycles/period=1234,freq=77/");
	sampling_attr__fill(&attr, ev, &cfg, false, false);
	ok(attr.freq && attr.sample_freq == 77, "freq=77: wins over period and -F 99");
	cfg.how.no_samples = true;
	sampling_attr__fill(&attr, ev, &cfg, false, false);
	ok(attr.freq && !attr.sample_freq, "-n: the rate is 0");
	ok(event_list__add(&list, "cycles/period=x/") == -EINVAL, "the term period=x is refused");
	ok(event_list__add(&list, "cycles/freq=0/") == -EINVAL, "the term freq=0 is refused");
	event_list__free(&list);
}

/* Terms of stacks and branches win over the options. */
static void test_stacks(void)
{
	struct sampling_config cfg = { .how = { .callchain = true, .user_stack_sz = 4096 } };
	struct event_list list = { 0 };
	struct perf_event_attr attr;

	sampling_attr__fill(&attr, event_of(&list, "cycles/stack-size=1019/"), &cfg, false, false);
	is_u64(attr.sample_stack_user, 1024, "stack-size=1019: whole words of a copied stack");
	sampling_attr__fill(&attr, event_of(&list, "cycles/call-graph=fp/"), &cfg, false, false);
	ok(attr.sample_type & PERF_SAMPLE_CALLCHAIN && !attr.sample_stack_user &&
		   !attr.exclude_callchain_user,
	   "call-graph=fp: no copied stack");
	sampling_attr__fill(&attr, event_of(&list, "cycles/call-graph=no/"), &cfg, false, false);
	ok(!(attr.sample_type & (PERF_SAMPLE_CALLCHAIN | PERF_SAMPLE_STACK_USER)),
	   "call-graph=no: no stack at all");
	sampling_attr__fill(&attr, event_of(&list, "cycles/call-graph=lbr/"), &cfg, false, false);
	ok(attr.branch_sample_type & PERF_SAMPLE_BRANCH_CALL_STACK && !attr.sample_stack_user,
	   "call-graph=lbr: branch records in place of a copied stack");
	cfg.how = (struct sampling_how){ .branches = PERF_SAMPLE_BRANCH_ANY };
	sampling_attr__fill(&attr, event_of(&list, "cycles/branch_type=any_call/"), &cfg, false,
			    false);
	is_u64(attr.branch_sample_type, PERF_SAMPLE_BRANCH_ANY_CALL,
	       "branch_type=any_call: wins over -b");
	sampling_attr__fill(&attr, event_of(&list, "cycles/branch_type=no/"), &cfg, false, false);
	ok(!(attr.sample_type & PERF_SAMPLE_BRANCH_STACK), "branch_type=no: none of -b");
	event_list__free(&list);
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
	test_rates();
	test_stacks();
	return done_testing();
}
