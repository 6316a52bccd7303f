/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Random sets of events and groups for plan_measure. */
#ifndef BPFPERF_TESTS_VM_PLAN_SETS_H
#define BPFPERF_TESTS_VM_PLAN_SETS_H

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stdint.h>

#include "event/event.h"
#include "perf/perf_counters.h"
#include "plan/plan.h"
#include "plan/simulate.h"
#include "util/strbuf.h"

#define EVENTS_MAX 20

static uint64_t seed = 0x9e3779b97f4a7c15ull;

static uint32_t random_below(uint32_t end)
{
	seed ^= seed >> 12;
	seed ^= seed << 25;
	seed ^= seed >> 27;
	return (uint32_t)((seed * 0x2545f4914f6cdd1dull >> 32) % end);
}

enum bench_pmu { BENCH_TESTPMU, BENCH_ARM, BENCH_X86 };

struct bench {
	enum bench_pmu pmu;
	uint32_t type; /* of testpmu; of cpu_core or cpu_atom where CPUs are unlike, or 0 */
	struct plan_machine machine;
	char self[256];
};

/* A set, and what became of it. */
struct set {
	struct event_list list;
	struct counter_count counts[EVENTS_MAX];
	enum sim_state states[EVENTS_MAX];
	uint64_t enabled_ns; /* of the event that was wanted longest */
};

static struct event *new_raw(uint32_t type, uint64_t config, uint64_t config1)
{
	struct event *ev = event__new(EVENT_RAW, "");
	char name[64];
	int len = snprintf(name, sizeof(name), "%s%llx",
			   type == PERF_TYPE_HW_CACHE ? "cache-" : "r", (unsigned long long)config);

	if (config1)
		snprintf(name + len, sizeof(name) - (size_t)len, "+%llx",
			 (unsigned long long)config1);
	free(ev->name);
	ev->name = strdup(name);
	ev->type = type;
	ev->config = config;
	ev->config1 = config1;
	return ev;
}

/* Among unlike CPUs, events of no PMU's number are the large cores'. */
static uint32_t raw_type(const struct bench *b)
{
	return b->type ? b->type : PERF_TYPE_RAW;
}

/*
 * The PMU's number stands above a common event's where CPUs are unlike: without it the kernel
 * would look for another PMU that has what this one has not.
 */
static uint64_t on_pmu(const struct bench *b, uint64_t config)
{
	return b->pmu == BENCH_X86 ? config | (uint64_t)b->type << 32 : config;
}

static struct event *new_hw(const struct bench *b, uint64_t config)
{
	static const char *const names[] = { "cycles",
					     "instructions",
					     "cache-references",
					     "cache-misses",
					     "branches",
					     "branch-misses",
					     "bus-cycles",
					     "stalled-cycles-frontend",
					     "stalled-cycles-backend",
					     "ref-cycles" };
	struct event *ev = event__new(EVENT_HARDWARE, names[config]);

	ev->type = PERF_TYPE_HARDWARE;
	ev->config = on_pmu(b, config);
	return ev;
}

static struct event *new_testpmu_event(const struct bench *b)
{
	static const uint8_t masks[] = { 0xf, 0xf, 0xf, 0x1, 0x3, 0x4, 0x5, 0x6, 0xc, 0xe };

	return new_raw(raw_type(b), (uint64_t)masks[random_below(sizeof(masks))] << 8, 0);
}

static uint64_t code_of_rule(const struct model *model);

/* Apple's PMUs: codes of all rules, and the common events, of which the kernel knows some. */
static struct event *new_apple_event(const struct bench *b)
{
	return random_below(4) ? new_raw(raw_type(b), code_of_rule(b->machine.model) & 0xff, 0)
			       : new_hw(b, random_below(10));
}

static struct event *new_arm_event(const struct bench *b)
{
	/* Raw codes that any PMUv3 takes: SW_INCR, L1I_CACHE_REFILL, L1D_CACHE, INST_RETIRED. */
	static const uint16_t codes[] = { 0x00, 0x01, 0x04, 0x08 };

	return random_below(3) ? new_raw(raw_type(b), codes[random_below(4)], 0)
			       : new_hw(b, PERF_COUNT_HW_CPU_CYCLES);
}

/* An event of one of the model's rules, with any value in the bits that the rule leaves open. */
static uint64_t code_of_rule(const struct model *model)
{
	const struct model_rule *rule;
	uint32_t cnt = 0;

	while (model->rules[cnt].what)
		cnt++;
	rule = &model->rules[random_below(cnt)];
	return rule->lo + random_below((uint32_t)(rule->hi - rule->lo) + 1) +
	       (random_below(0x10000) & ~rule->mask & 0xffff);
}

static struct event *new_x86_event(const struct bench *b)
{
	const struct model *model = b->machine.model;
	/* Events of any counter on all models. */
	static const uint16_t any[] = { 0x00c4, 0x00c5, 0x010e, 0x4f2e, 0x412e, 0x0188, 0x0189 };
	static const uint16_t extra[] = { 0x01b7, 0x01bb, 0x01b7, 0x01bb, 0x01cd };
	uint32_t what = random_below(16);
	uint64_t code;

	if (what < 3)
		return new_hw(b, random_below(10));
	if (what == 3) {
		uint64_t id = random_below(7);

		id |= random_below(3) << 8;
		return new_raw(PERF_TYPE_HW_CACHE, on_pmu(b, id | random_below(2) << 16), 0);
	}
	if (what == 4)
		return new_raw(raw_type(b), extra[random_below(5)], 1 + random_below(3));
	code = what < 12 ? code_of_rule(model) : any[random_below(7)];
	/* Edges, or with a threshold: a fixed counter does not count such an event. */
	if (random_below(12) == 0)
		code |= random_below(2) ? 1 << 18 : 1 << 24;
	/* in_tx, in_tx_cp */
	if (model->has_tsx && random_below(16) == 0)
		code |= 1ull << (32 + random_below(2));
	return new_raw(raw_type(b), code, 0);
}

static struct event *new_event(const struct bench *b)
{
	struct event *ev;

	if (random_below(9) == 0) {
		ev = event__new(EVENT_SOFTWARE, "task-clock");
		ev->type = PERF_TYPE_SOFTWARE;
		ev->config = PERF_COUNT_SW_TASK_CLOCK;
		return ev;
	}
	switch (b->pmu) {
	case BENCH_ARM:
		return b->machine.model->fixed ? new_arm_event(b) : new_apple_event(b);
	case BENCH_X86:
		return new_x86_event(b);
	default:
		return new_testpmu_event(b);
	}
}

/*
 * One to eight groups of one to five events (on arm64 of up to nine), some of them pinned; on x86
 * at most twelve events.
 */
static void make_set(const struct bench *b, struct set *set)
{
	uint32_t max = b->pmu == BENCH_X86 ? 12 : EVENTS_MAX;
	uint32_t groups = 1 + random_below(8), g;

	memset(set, 0, sizeof(*set));
	for (g = 0; g < groups && set->list.cnt < max; g++) {
		uint32_t cnt = random_below(2) ? 1 : 1 + random_below(b->pmu == BENCH_ARM ? 9 : 5);
		uint32_t i;
		bool pinned = random_below(6) == 0;

		for (i = 0; i < cnt && set->list.cnt < max; i++) {
			struct event *ev = new_event(b);

			ev->group = cnt > 1 ? (int)g : -1;
			ev->pinned = pinned && !i;
			event_list__push(&set->list, ev);
		}
	}
}

static void show(const struct set *set, struct strbuf *out)
{
	size_t i;

	for (i = 0; i < set->list.cnt; i++) {
		const struct event *ev = set->list.events[i];
		bool opens = ev->group >= 0 && (!i || set->list.events[i - 1]->group != ev->group);
		bool closes = ev->group >= 0 && (i + 1 == set->list.cnt ||
						 set->list.events[i + 1]->group != ev->group);

		strbuf__printf(out, "%s%s%s%s%s", i ? "," : "", opens ? "{" : "", ev->name,
			       ev->pinned ? ":D" : "", closes ? "}" : "");
	}
}

#endif
