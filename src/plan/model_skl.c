// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* Skylake up to the 9th generation, and Ice Lake (Sunny Cove). */
#include "plan/model_tables.h"

/* General counters 0–3 for what kernels before 4.7 put on any. */
#define LOW_FOUR(code, text) EVENT(code, 0xf, KERNEL_RC(4, 7, 7), text)

static const struct model_rule skl_rules[] = {
	FIXED_COMMON,
	UMASK(0x01c0, 0x2, "INST_RETIRED.PREC_DIST"),
	LOW_FOUR(0xd0, "MEM_INST_RETIRED.*"),
	LOW_FOUR(0xd1, "MEM_LOAD_RETIRED.*"),
	LOW_FOUR(0xd2, "MEM_LOAD_L3_HIT_RETIRED.*"),
	LOW_FOUR(0xcd, "MEM_TRANS_RETIRED.*"),
	LOW_FOUR(0xc6, "FRONTEND_RETIRED.*"),
	RULES_END,
};

#define METRIC(code, n, text)                                                                      \
	RULE(code, BITS_UMASK, COUNTER_BIT(COUNTER_METRIC + (n)), 0, 0, 0, text)

static const struct model_rule icl_rules[] = {
	FIXED_COMMON,
	FIXED(0x01c0, 0, "INST_RETIRED.PREC_DIST"),
	FIXED_ONLY(0x0100, 0, "INST_RETIRED.PREC_DIST"),
	FIXED_ONLY(0x0400, 3, "TOPDOWN.SLOTS"),
	METRIC(0x8000, 0, "topdown-retiring"),
	METRIC(0x8100, 1, "topdown-bad-spec"),
	METRIC(0x8200, 2, "topdown-fe-bound"),
	METRIC(0x8300, 3, "topdown-be-bound"),
	EVENTS(0x03, 0x0a, 0xf, "LD_BLOCKS.*, DTLB_LOAD_MISSES.*"),
	EVENTS(0x1f, 0x28, 0xf, "L2_RQSTS.*, CORE_POWER.*"),
	EVENTS(0x32, 0x32, 0xf, "SW_PREFETCH_ACCESS.*"),
	EVENTS(0x48, 0x56, 0xf, "L1D_PEND_MISS.*, DTLB_STORE_MISSES.*, L1D.*"),
	EVENTS(0x60, 0x8b, 0xf, "OFFCORE_REQUESTS_OUTSTANDING.*, IDQ.*, ICACHE.*, ITLB_MISSES.*"),
	UMASK(0x04a3, 0xff, "CYCLE_ACTIVITY.STALLS_TOTAL"),
	UMASK(0x10a3, 0xff, "CYCLE_ACTIVITY.CYCLES_MEM_ANY"),
	UMASK(0x14a3, 0xff, "CYCLE_ACTIVITY.STALLS_MEM_ANY"),
	EVENTS(0xa3, 0xa3, 0xf, "CYCLE_ACTIVITY.*"),
	EVENTS(0xa8, 0xb0, 0xf, "LSD.*, OFFCORE_REQUESTS.*"),
	EVENTS(0xb7, 0xbd, 0xf, "OCR.*, TLB_FLUSH.*"),
	EVENTS(0xd0, 0xe6, 0xf, "MEM_INST_RETIRED.*, MEM_LOAD_RETIRED.*, BACLEARS.*"),
	EVENTS(0xef, 0xef, 0xf, "CORE_SNOOP_RESPONSE.*"),
	EVENTS(0xf0, 0xf4, 0xf, "L2_TRANS.*, L2_LINES_*"),
	RULES_END,
};

/*
 * kernel: skl_hw_cache_event_ids; caches L1D L1I LL DTLB ITLB BPU NODE, each read write prefetch.
 */
static const struct model_names skl_names = {
	.hw = { HW_INTEL },
	.cache = { { { 0x81d0, 0x0151 }, { 0x82d0, 0 }, { 0, 0 } },
		   { { 0, 0x0283 }, { 0, 0 }, { 0, 0 } },
		   { { OFFCORE, OFFCORE }, { OFFCORE, OFFCORE }, { 0, 0 } },
		   { { 0x81d0, 0x0e08 }, { 0x82d0, 0x0e49 }, { 0, 0 } },
		   { { 0x2085, 0x0e85 }, { 0, 0 }, { 0, 0 } },
		   { { 0x00c4, 0x00c5 }, { 0, 0 }, { 0, 0 } },
		   { { OFFCORE, OFFCORE }, { OFFCORE, OFFCORE }, { 0, 0 } } },
};

static const char *const skl_pfm[] = { "skl", NULL };
static const char *const icl_pfm[] = { "icl", NULL };

const struct model model_skl = {
	.name = "skl",
	.title = "Skylake",
	.pfm = skl_pfm,
	MODEL_INTEL,
	MODEL_FOUR_GENERAL,
	.rules = skl_rules,
	.names = &skl_names,
	.tfa = true,
	.has_tsx = true,
	.source =
		"kernel: intel_skl_event_constraints, tfa_get_event_constraints; Intel SDM vol. 3B, 18.13",
};

const struct model model_icl = {
	.name = "icl",
	.title = "Ice Lake (Sunny Cove)",
	.pfm = icl_pfm,
	MODEL_INTEL,
	.general = 0xff,
	.general_ht_off = 0xff,
	.fixed = 0xfull << COUNTER_FIXED | 0xfull << COUNTER_METRIC,
	.rules = icl_rules,
	.names = &skl_names,
	.has_tsx = true,
	.source = "kernel: intel_icl_event_constraints",
};
