// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* Nehalem and Westmere. */
#include "plan/model_tables.h"

static const struct model_rule nhm_rules[] = {
	FIXED_COMMON,
	EVENTS(0x40, 0x43, 0x3, "L1D_CACHE_LD.*, L1D_CACHE_ST.*, L1D_CACHE_LOCK.*, L1D_ALL_REF.*"),
	EVENT(0x48, 0x3, 0, "L1D_PEND_MISS.*"),
	EVENT(0x4e, 0x3, 0, "L1D_PREFETCH.*"),
	EVENT(0x51, 0x3, 0, "L1D.*"),
	EVENT(0x63, 0x3, 0, "CACHE_LOCK_CYCLES.*"),
	RULES_END,
};

static const struct model_rule wsm_rules[] = {
	FIXED_COMMON,
	EVENT(0x51, 0x3, 0, "L1D.*"),
	EVENT(0x60, 0x1, 0, "OFFCORE_REQUESTS_OUTSTANDING.*"),
	EVENT(0x63, 0x3, 0, "CACHE_LOCK_CYCLES.*"),
	EVENT(0xb3, 0x1, 0, "SNOOPQ_REQUESTS_OUTSTANDING.*"),
	RULES_END,
};

/* Off-core registers belong to the core: its two threads share them (kernel: PMU_FL_HAS_RSP_1). */
static const struct model_extra nhm_extra[] = {
	EXTRA(0x01b7, RSP_0, 0xffff),
	EXTRA_LDLAT(0x100b),
	EXTRA_END,
};

static const struct model_extra wsm_extra[] = {
	EXTRA(0x01b7, RSP_0, 0xffff),
	EXTRA(0x01bb, RSP_1, 0xffff),
	EXTRA_LDLAT(0x100b),
	EXTRA_END,
};

/* Stalled cycles: UOPS_ISSUED.ANY and UOPS_EXECUTED.CORE, inverted, counting cycles. */
#define HW_NHM 0x003c, 0x00c0, 0x4f2e, 0x412e, 0x00c4, 0x00c5, 0x013c, 0x180010e, 0x1803fb1, 0x0300

/*
 * kernel: nehalem_hw_cache_event_ids, westmere_hw_cache_event_ids; caches L1D L1I LL DTLB ITLB BPU
 * NODE, each read write prefetch.
 */
static const struct model_names nhm_names = {
	.hw = { HW_NHM },
	.cache = { { { 0x010b, 0x0151 }, { 0x020b, 0x0251 }, { 0x014e, 0x024e } },
		   { { 0x0380, 0x0280 }, { 0, 0 }, { 0, 0 } },
		   { { OFFCORE, OFFCORE }, { OFFCORE, OFFCORE }, { OFFCORE, OFFCORE } },
		   { { 0x0f40, 0x0108 }, { 0x0f41, 0x010c }, { 0, 0 } },
		   { { 0x01c0, 0x20c8 }, { 0, 0 }, { 0, 0 } },
		   { { 0x00c4, 0x03e8 }, { 0, 0 }, { 0, 0 } },
		   { { OFFCORE, OFFCORE }, { OFFCORE, OFFCORE }, { OFFCORE, OFFCORE } } },
};

static const struct model_names wsm_names = {
	.hw = { HW_NHM },
	.cache = { { { 0x010b, 0x0151 }, { 0x020b, 0x0251 }, { 0x014e, 0x024e } },
		   { { 0x0380, 0x0280 }, { 0, 0 }, { 0, 0 } },
		   { { OFFCORE, OFFCORE }, { OFFCORE, OFFCORE }, { OFFCORE, OFFCORE } },
		   { { 0x010b, 0x0108 }, { 0x020b, 0x010c }, { 0, 0 } },
		   { { 0x01c0, 0x0185 }, { 0, 0 }, { 0, 0 } },
		   { { 0x00c4, 0x03e8 }, { 0, 0 }, { 0, 0 } },
		   { { OFFCORE, OFFCORE }, { OFFCORE, OFFCORE }, { OFFCORE, OFFCORE } } },
};

static const char *const nhm_pfm[] = { "nhm", "nhm_ex", NULL };
static const char *const wsm_pfm[] = { "wsm", "wsm_dp", NULL };

/* Each thread of a core has four, with and without a sibling. */
#define FOUR_EACH                                                                                  \
	.general = 0xf, .general_ht_off = 0xf, .fixed = 7ull << COUNTER_FIXED,                     \
	.shares_offcore = true

const struct model model_nhm = {
	.name = "nhm",
	.title = "Nehalem",
	.pfm = nhm_pfm,
	MODEL_INTEL,
	FOUR_EACH,
	.rules = nhm_rules,
	.names = &nhm_names,
	.source = "kernel: intel_nehalem_event_constraints; Intel SDM vol. 3B, 18.8",
	.aliases = "nehalem nehalem-ep nhm-ep nhm-ex nehalem-ex",
	.extra = nhm_extra,
	.precise = &precise_nhm,
	.words = model_words_nhm,
};

const struct model model_wsm = {
	.name = "wsm",
	.title = "Westmere",
	.pfm = wsm_pfm,
	MODEL_INTEL,
	FOUR_EACH,
	.rules = wsm_rules,
	.names = &wsm_names,
	.source = "kernel: intel_westmere_event_constraints; Intel SDM vol. 3B, 18.8",
	.aliases = "westmere wsm-dp wsm-ep westmere-ep westmere-ex",
	.extra = wsm_extra,
	.precise = &precise_wsm,
	.words = model_words_nhm,
};
