/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* How the tables of uncore PMUs are written. Internal to plan/uncore*.c. */
#ifndef BPFPERF_PLAN_UNCORE_TABLES_H
#define BPFPERF_PLAN_UNCORE_TABLES_H

#include "event/pmu_model.h"
#include "plan/model_tables.h"
#include "plan/uncore.h"

#define DECLARE_UNCORE(name) extern const struct model model_##name;
UNCORE_LIST(DECLARE_UNCORE)
#undef DECLARE_UNCORE

/* None of perf's generic events. */
extern const struct model_names model_names_uncore;
/* A box without constraints, and without a clock or with one. */
extern const struct model_rule model_rules_box[], model_rules_box_clock[];

/*
 * config 0xff alone is the clock, a fixed counter; with the upper bits of a umask it is a counter
 * that runs freely, in PMUs of its own (kernel: UNCORE_FIXED_EVENT, is_freerunning_event()).
 */
#define NO_FREE_RUNNING                                                                            \
	RULE(0x10ff, 0x10ff, 0, 0, 0, 0, "free-running"),                                          \
		RULE(0x20ff, 0x20ff, 0, 0, 0, 0, "free-running"),                                  \
		RULE(0x40ff, 0x40ff, 0, 0, 0, 0, "free-running"),                                  \
		RULE(0x80ff, 0x80ff, 0, 0, 0, 0, "free-running")
#define NO_CLOCK RULE(0xff, ~0ull, 0, 0, 0, 0, "no clock"), NO_FREE_RUNNING
#define WITH_CLOCK RULE(0xff, ~0ull, COUNTER_BIT(COUNTER_FIXED), 0, 0, 0, "clock"), NO_FREE_RUNNING
/* Events first … last, with any umask, on some of the box' counters. */
#define ON(first, last, on) EVENTS(first, last, on, "events of the box")

#define FIELD(name, word, last, first)                                                             \
	{                                                                                          \
		name, word, (~0ull >> (63 - (last))) & (~0ull << (first))                          \
	}
#define FIELD_BITS(name, word, bits)                                                               \
	{                                                                                          \
		name, word, bits                                                                   \
	}
#define FIELDS_END                                                                                 \
	{                                                                                          \
		NULL, 0, 0                                                                         \
	}
#define FIELDS_BASE FIELD("event", 0, 7, 0), FIELD("umask", 0, 15, 8), FIELD("edge", 0, 18, 18)

/* Members that all uncore PMUs have: cnt equal counters; libpfm4's name or NULL. */
#define UNCORE_MEMBERS(id, shown, pmu, cnt, rest, libpfm)                                          \
	.name = #id, .title = (shown), .pfm = (const char *const[]){ libpfm, NULL },               \
	.general = (1u << (cnt)) - 1, .general_ht_off = (1u << (cnt)) - 1,                         \
	.names = &model_names_uncore, .general_prefix = "CTR", .sysfs = (pmu), .uncore = (rest)

/* A box of Intel's: its counters, whether it has a clock, its rules. */
#define BOX(id, shown, pmu, cnt, has_clock, table, rest, libpfm)                                   \
	const struct model model_##id = {                                                          \
		UNCORE_MEMBERS(id, shown, pmu, cnt, rest, libpfm),                                 \
		.policy = POLICY_WEIGHT,                                                           \
		.fixed = (has_clock) ? COUNTER_BIT(COUNTER_FIXED) : 0,                             \
		.rules = (table),                                                                  \
		.fixed_prefix = "CLK",                                                             \
		.source = "kernel: arch/x86/events/intel/uncore*.c, struct intel_uncore_type",     \
	}

#endif
