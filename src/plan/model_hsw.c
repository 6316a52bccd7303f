// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* Haswell and Broadwell. */
#include "plan/model_tables.h"

/* Kernels before the fix took every umask of CYCLE_ACTIVITY for one that only counter 2 counts. */
#define ALL_ACTIVITY(until)                                                                        \
	RULE(0xa3, BITS_EVENT, 0x4, 0, 0, until,                                                   \
	     "CYCLE_ACTIVITY.*, more narrowly than the hardware asks")
/* General counters 0–3 for what kernels before 4.7 put on any. */
#define LOW_FOUR(code, text) EVENT(code, 0xf, KERNEL_RC(4, 7, 7), text)

static const struct model_rule hsw_rules[] = {
	FIXED_COMMON,
	UMASK(0x0148, 0x4, "L1D_PEND_MISS.PENDING"),
	UMASK(0x01c0, 0x2, "INST_RETIRED.PREC_DIST"),
	EVENT(0xcd, 0x8, 0, "MEM_TRANS_RETIRED.*"),
	ALL_ACTIVITY(KERNEL_RC(4, 0, 7)),
	UMASK(0x08a3, 0x4, "CYCLE_ACTIVITY.CYCLES_L1D_PENDING"),
	UMASK(0x0ca3, 0x4, "CYCLE_ACTIVITY.STALLS_L1D_PENDING"),
	UMASK(0x04a3, 0xf, "CYCLE_ACTIVITY.CYCLES_NO_EXECUTE"),
	CORRUPTING(0xd0, "MEM_UOPS_RETIRED.*"),
	CORRUPTING(0xd1, "MEM_LOAD_UOPS_RETIRED.*"),
	CORRUPTING(0xd2, "MEM_LOAD_UOPS_L3_HIT_RETIRED.*"),
	CORRUPTING(0xd3, "MEM_LOAD_UOPS_L3_MISS_RETIRED.*"),
	RULES_END,
};

static const struct model_rule bdw_rules[] = {
	FIXED_COMMON,
	UMASK(0x0148, 0x4, "L1D_PEND_MISS.PENDING"),
	ALL_ACTIVITY(KERNEL_RC(4, 3, 4)),
	/* Any umask with bit 3, whatever else it has (kernel: INTEL_UBIT_EVENT_CONSTRAINT). */
	RULE(0x08a3, 0x08ff, 0x4, 0, 0, 0, "CYCLE_ACTIVITY.*_L1D_*"),
	LOW_FOUR(0xd0, "MEM_UOPS_RETIRED.*"),
	LOW_FOUR(0xd1, "MEM_LOAD_UOPS_RETIRED.*"),
	LOW_FOUR(0xd2, "MEM_LOAD_UOPS_L3_HIT_RETIRED.*"),
	LOW_FOUR(0xcd, "MEM_TRANS_RETIRED.*"),
	RULES_END,
};

/*
 * kernel: hsw_hw_cache_event_ids; caches L1D L1I LL DTLB ITLB BPU NODE, each read write prefetch.
 */
static const struct model_names hsw_names = {
	.hw = { HW_INTEL },
	.cache = { { { 0x81d0, 0x0151 }, { 0x82d0, 0 }, { 0, 0 } },
		   { { 0, 0x0280 }, { 0, 0 }, { 0, 0 } },
		   { { OFFCORE, OFFCORE }, { OFFCORE, OFFCORE }, { 0, 0 } },
		   { { 0x81d0, 0x0108 }, { 0x82d0, 0x0149 }, { 0, 0 } },
		   { { 0x6085, 0x0185 }, { 0, 0 }, { 0, 0 } },
		   { { 0x00c4, 0x00c5 }, { 0, 0 }, { 0, 0 } },
		   { { OFFCORE, OFFCORE }, { OFFCORE, OFFCORE }, { 0, 0 } } },
};

static const char *const hsw_pfm[] = { "hsw", "hsw_ep", NULL };
static const char *const bdw_pfm[] = { "bdw", "bdw_ep", NULL };

/* kernel: intel_snbep_extra_regs */
static const struct model_extra hsw_extra[] = {
	EXTRA(0x01b7, RSP_0, 0x3fffff8fffull),
	EXTRA(0x01bb, RSP_1, 0x3fffff8fffull),
	EXTRA_LDLAT(0x01cd),
	EXTRA_END,
};

const struct model model_hsw = {
	.name = "hsw",
	.title = "Haswell",
	.pfm = hsw_pfm,
	MODEL_INTEL,
	MODEL_FOUR_GENERAL,
	.rules = hsw_rules,
	.names = &hsw_names,
	.aliases = "haswell hsw-ep haswell-ep hsx haswellx hsw-x",
	.extra = hsw_extra,
	.precise = &precise_hsw,
	.words = model_words_hsw,
	.ht_erratum = true,
	.has_tsx = true,
	.source = "kernel: intel_hsw_event_constraints; Intel SDM vol. 3B, 18.11",
};

const struct model model_bdw = {
	.name = "bdw",
	.title = "Broadwell",
	.pfm = bdw_pfm,
	MODEL_INTEL,
	MODEL_FOUR_GENERAL,
	.rules = bdw_rules,
	.names = &hsw_names,
	.aliases = "broadwell bdw-ep broadwell-ep bdw-de broadwell-de bdx broadwellx bdw-x",
	.extra = hsw_extra,
	.precise = &precise_bdw,
	.words = model_words_hsw,
	.has_tsx = true,
	.source = "kernel: intel_bdw_event_constraints; Intel SDM vol. 3B, 18.12",
};
