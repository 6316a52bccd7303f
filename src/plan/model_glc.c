// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* Golden Cove and its successors: servers from Sapphire Rapids on, P cores from Alder Lake on. */
#include "plan/model_tables.h"

#define FIXED_GLC                                                                                  \
	FIXED_COMMON, PSEUDO_INSTRUCTIONS(0), PSEUDO_CYCLES, REF_CYCLES,                           \
		FIXED_ONLY(0x0400, 3, "TOPDOWN.SLOTS"), METRICS_LEVEL_1, METRICS_LEVEL_2

static const struct model_rule glc_rules[] = {
	FIXED_GLC,
	EVENT(0x2e, 0xff, 0, "LONGEST_LAT_CACHE.*"),
	EVENT(0x3c, 0xff, 0, "CPU_CLK_UNHALTED.*"),
	EVENTS(0x01, 0x8f, 0xf, "event codes below 0x90"),
	UMASK(0x01a3, 0xf, "CYCLE_ACTIVITY.CYCLES_L2_MISS"),
	UMASK(0x02a3, 0xf, "CYCLE_ACTIVITY.CYCLES_L3_MISS"),
	UMASK_FROM(0x05a3, 0xf, AFTER_7_1, "CYCLE_ACTIVITY.STALLS_L2_MISS"),
	UMASK_FROM(0x06a3, 0xf, AFTER_7_1, "CYCLE_ACTIVITY.STALLS_L3_MISS"),
	UMASK(0x08a3, 0xf, "CYCLE_ACTIVITY.CYCLES_L1D_MISS"),
	UMASK_FROM(0x0ca3, 0xf, AFTER_7_1, "CYCLE_ACTIVITY.STALLS_L1D_MISS"),
	UMASK(0x04a4, 0x1, "TOPDOWN.BAD_SPEC_SLOTS"),
	UMASK(0x08a4, 0x1, "TOPDOWN.BR_MISPREDICT_SLOTS"),
	UMASK_FROM(0x01cd, 0xfe, AFTER_7_1, "MEM_TRANS_RETIRED.LOAD_LATENCY"),
	UMASK(0x02cd, 0x1, "MEM_TRANS_RETIRED.STORE_SAMPLE"),
	EVENT(0xce, 0x1, 0, "AMX_OPS_RETIRED.*"),
	EVENTS(0xd0, 0xdf, 0xf, "MEM_INST_RETIRED.*, MEM_LOAD_RETIRED.*"),
	EVENTS(0x90, 0xfe, 0xff, "event codes from 0x90 on"),
	RULES_END,
};

#define LNC_UP_TO_7_1(code, text) RULE(code, BITS_UMASK, 0xf, 0, 0, AFTER_7_1, text)
static const struct model_rule lnc_rules[] = {
	FIXED_GLC,
	LNC_UP_TO_7_1(0x012a, "OCR.*"),
	LNC_UP_TO_7_1(0x012b, "OCR.*"),
	LNC_UP_TO_7_1(0x00e0, "event 0xe0, umask 0"),
	EVENT(0x20, 0xf, 0, "OFFCORE_REQUESTS_OUTSTANDING.*"),
	UMASK(0x0148, 0x4, "L1D_PENDING.LOAD"),
	UMASK(0x0175, 0x4, "INST_DECODED.DECODERS"),
	EVENT(0x2e, 0x3ff, 0, "LONGEST_LAT_CACHE.*"),
	EVENT(0x3c, 0x3ff, 0, "CPU_CLK_UNHALTED.*"),
	UMASK(0x08a3, 0x4, "CYCLE_ACTIVITY.CYCLES_L1D_MISS"),
	UMASK(0x0ca3, 0x4, "CYCLE_ACTIVITY.STALLS_L1D_MISS"),
	UMASK(0x04a4, 0x1, "TOPDOWN.BAD_SPEC_SLOTS"),
	UMASK(0x08a4, 0x1, "TOPDOWN.BR_MISPREDICT_SLOTS"),
	UMASK_FROM(0x10a4, 0x8, AFTER_7_1, "TOPDOWN.MEMORY_BOUND_SLOTS"),
	UMASK(0x10a4, 0x1, "TOPDOWN.MEMORY_BOUND_SLOTS"),
	UMASK(0x01b1, 0x8, "UOPS_EXECUTED.THREAD"),
	UMASK(0x01cd, 0x3fc, "MEM_TRANS_RETIRED.LOAD_LATENCY"),
	UMASK(0x02cd, 0x3, "MEM_TRANS_RETIRED.STORE_SAMPLE"),
	UMASK_FROM(0x87d0, 0x3ff, AFTER_7_1, "MEM_INST_RETIRED.ANY"),
	EVENTS(0xd0, 0xdf, 0xf, "MEM_INST_RETIRED.*, MEM_LOAD_RETIRED.*"),
	RULES_END,
};

static const struct model_rule pnc_rules[] = {
	FIXED_GLC,
	EVENT(0x20, 0xf, 0, "OFFCORE_REQUESTS_OUTSTANDING.*"),
	EVENT(0x79, 0xf, 0, "IDQ.*"),
	UMASK(0x0275, 0xf, "event 0x75, umask 2"),
	UMASK(0x0176, 0xf, "event 0x76, umask 1"),
	UMASK(0x04a4, 0x1, "TOPDOWN.BAD_SPEC_SLOTS"),
	UMASK(0x08a4, 0x1, "TOPDOWN.BR_MISPREDICT_SLOTS"),
	UMASK(0x01cd, 0xfc, "MEM_TRANS_RETIRED.LOAD_LATENCY"),
	UMASK(0x02cd, 0x3, "MEM_TRANS_RETIRED.STORE_SAMPLE"),
	EVENTS(0xd0, 0xd1, 0xf, "MEM_INST_RETIRED.*, MEM_LOAD_RETIRED.*"),
	EVENT(0xd4, 0xf, 0, "MEM_LOAD_MISC_RETIRED.*"),
	EVENT(0xd6, 0xf, 0, "event 0xd6"),
	EVENT(0xdf, 0xf, 0, "event 0xdf"),
	EVENT(0xce, 0x1, 0, "AMX_OPS_RETIRED.*"),
	UMASK(0x01b1, 0x8, "UOPS_EXECUTED.THREAD"),
	UMASK_FROM(0x01b2, 0xf, AFTER_7_1, "event 0xb2, umask 1"),
	UMASK_FROM(0x02b2, 0xf, AFTER_7_1, "event 0xb2, umask 2"),
	UMASK(0x0847, 0xf, "event 0x47, umask 8"),
	UMASK(0x0446, 0xf, "event 0x46, umask 4"),
	UMASK(0x0846, 0xf, "event 0x46, umask 8"),
	UMASK(0x0148, 0xf, "L1D_PENDING.LOAD"),
	RULES_END,
};

/* kernel: intel_glc_extra_regs */
static const struct model_extra glc_extra[] = {
	EXTRA(0x012a, RSP_0, 0x3fffffffffull),
	EXTRA(0x012b, RSP_1, 0x3fffffffffull),
	EXTRA_LDLAT(0x01cd),
	EXTRA(0x01c6, FE, 0x7fff1f),
	EXTRA(0x40ad, FE, 0x7),
	EXTRA(0x04c2, FE, 0x8),
	EXTRA_END,
};

/* kernel: intel_rwc_extra_regs, intel_lnc_extra_regs */
#define EXTRA_RWC(offcore, unknown_branch)                                                         \
	{                                                                                          \
		EXTRA(0x012a, RSP_0, offcore), EXTRA(0x012b, RSP_1, offcore), EXTRA_LDLAT(0x01cd), \
			EXTRA(0x02c6, FE, 0x9), EXTRA(0x03c6, FE, 0x7fff1f),                       \
			EXTRA(0x40ad, FE, unknown_branch), EXTRA(0x04c2, FE, 0x8), EXTRA_END,      \
	}
static const struct model_extra rwc_extra[] = EXTRA_RWC(0x3fffffffffull, 0x7);
static const struct model_extra lnc_extra[] = EXTRA_RWC(0xfffffffffffull, 0xf);

/* kernel: intel_pnc_extra_regs */
#define OMR_PNC 0x40ffffff0000ffffull
#define EXTRA_OMR(event, from)                                                                     \
	EXTRA_SINCE(0x0100 | (event), OMR_0, OMR_PNC, 0, from),                                    \
		EXTRA_SINCE(0x0200 | (event), OMR_1, OMR_PNC, 0, from),                            \
		EXTRA_SINCE(0x0400 | (event), OMR_2, OMR_PNC, 0, from),                            \
		EXTRA_SINCE(0x0800 | (event), OMR_3, OMR_PNC, 0, from)
static const struct model_extra pnc_extra[] = {
	EXTRA_OMR(0x2a, 0),
	EXTRA_OMR(0x4f, KERNEL_RC(7, 3, 1)),
	EXTRA_OMR(0xd6, KERNEL_RC(7, 3, 1)),
	EXTRA_LDLAT(0x01cd),
	EXTRA(0x02c6, FE, 0x9),
	EXTRA(0x03c6, FE, 0x7fff1f),
	EXTRA(0x40ad, FE, 0xf),
	EXTRA(0x04c2, FE, 0x8),
	EXTRA_END,
};

/*
 * kernel: glc_hw_cache_event_ids, adl_glc_hw_cache_event_ids; caches L1D L1I LL DTLB ITLB BPU NODE,
 * each read write prefetch.
 */
#define CACHE_GLC(node)                                                                            \
	{                                                                                          \
		{ { 0x81d0, 0xe124 }, { 0x82d0, 0 }, { 0, 0 } },                                   \
			{ { 0, 0xe424 }, { 0, 0 }, { 0, 0 } },                                     \
			{ { OFFCORE_GLC, OFFCORE_GLC }, { OFFCORE_GLC, OFFCORE_GLC }, { 0, 0 } },  \
			{ { 0x81d0, 0x0e12 }, { 0x82d0, 0x0e13 }, { 0, 0 } },                      \
			{ { 0, 0x0e11 }, { 0, 0 }, { 0, 0 } },                                     \
			{ { 0x04c4, 0x04c5 }, { 0, 0 }, { 0, 0 } },                                \
		{                                                                                  \
			{ node, node }, { 0, 0 },                                                  \
			{                                                                          \
				0, 0                                                               \
			}                                                                          \
		}                                                                                  \
	}
#define NAMES(id, cycles, node, from, older)                                                       \
	static const struct model_names id = {                                                     \
		.hw = { cycles }, .cache = CACHE_GLC(node), .since = (from), .before = (older)     \
	}
/* Debian's images of 6.12 and 6.19.14 have NODE on all CPUs, 7.0.13 on servers only. */
#define AFTER_6_19 KERNEL_RC(7, 0, 1)
NAMES(spr_names_before, HW_INTEL, OFFCORE_GLC, 0, NULL);
NAMES(spr_names, HW_GLC, OFFCORE_GLC, AFTER_6_6, &spr_names_before);
NAMES(adl_names, HW_GLC, 0, AFTER_6_19, &spr_names);

static const char *const spr_pfm[] = { "spr", NULL };

#define CORE                                                                                       \
	MODEL_INTEL, .pfm = spr_pfm, .has_tsx = true, .words = model_words_glc,                    \
		     .fixed = 0xfull << COUNTER_FIXED | 0xffull << COUNTER_METRIC
#define GOLDEN_COVE                                                                                \
	CORE, .general = 0xff, .general_ht_off = 0xff, .rules = glc_rules,                         \
	      .precise = &precise_glc,                                                             \
	      .source = "kernel: intel_glc_event_constraints; Intel SDM vol. 3B, 20.3.9"
#define LION_COVE                                                                                  \
	CORE, .general = 0x3ff, .general_ht_off = 0x3ff, .rules = lnc_rules,                       \
	      .precise = &precise_lnc, .names = &adl_names, .extra = lnc_extra,                    \
	      .sysfs = "cpu_core", .names_of = "Sapphire Rapids",                                  \
	      .source = "kernel: intel_lnc_event_constraints; Intel's event lists of lunarlake"

/* The number of counters is not published: eight, as the load latency event's mask says. */
#define PANTHER_COVE                                                                               \
	CORE, .general = 0xff, .general_ht_off = 0xff, .rules = pnc_rules,                         \
	      .precise = &precise_pnc, .names = &adl_names, .extra = pnc_extra,                    \
	      .names_of = "Sapphire Rapids",                                                       \
	      .source = "kernel: intel_pnc_event_constraints, intel_pnc_extra_regs"

const struct model model_spr = {
	.name = "spr",
	.title = "Sapphire Rapids, Emerald Rapids (Golden Cove)",
	.aliases = "sapphirerapids sapphire-rapids emr emeraldrapids emerald-rapids "
		   "golden-cove",
	.names = &spr_names,
	.extra = glc_extra,
	GOLDEN_COVE,
};

const struct model model_gnr = {
	.name = "gnr",
	.title = "Granite Rapids (Redwood Cove)",
	.aliases = "graniterapids granite-rapids gnr-d granite-rapids-d redwood-cove",
	.names = &spr_names,
	.names_of = "Sapphire Rapids",
	.extra = rwc_extra,
	GOLDEN_COVE,
};

const struct model model_adl = {
	.name = "adl",
	.title = "Alder Lake, Raptor Lake: P cores (Golden Cove)",
	.aliases = "alderlake alder-lake adl-p adl-core adl-glc rpl raptorlake raptor-lake rpl-p "
		   "alderlake-p alderlake-s raptorlake-p raptorlake-s raptor-cove",
	.names = &adl_names,
	.names_of = "Sapphire Rapids",
	.extra = glc_extra,
	.sysfs = "cpu_core",
	GOLDEN_COVE,
};

const struct model model_mtl = {
	.name = "mtl",
	.title = "Meteor Lake, Arrow Lake U: P cores (Redwood Cove)",
	.aliases = "meteorlake meteor-lake mtl-p mtl-core arl-u arrowlake-u "
		   "meteorlake-h meteorlake-u",
	.names = &adl_names,
	.names_of = "Sapphire Rapids",
	.extra = rwc_extra,
	.sysfs = "cpu_core",
	GOLDEN_COVE,
};

const struct model model_arl = {
	.name = "arl",
	.title = "Arrow Lake: P cores (Lion Cove)",
	.aliases = "arrowlake arrow-lake arl-p arl-core arl-h arl-s "
		   "arrowlake-h arrowlake-s lion-cove",
	LION_COVE,
};

const struct model model_lnl = {
	.name = "lnl",
	.title = "Lunar Lake: P cores (Lion Cove)",
	.aliases = "lunarlake lunar-lake lnl-p lnl-core",
	LION_COVE,
};

const struct model model_ptl = {
	.name = "ptl",
	.title = "Panther Lake, Wildcat Lake: P cores (Cougar Cove)",
	.aliases = "pantherlake panther-lake ptl-p ptl-core wcl wildcatlake wildcat-lake "
		   "cougar-cove",
	LION_COVE,
};

const struct model model_nvl = {
	.name = "nvl",
	.title = "Nova Lake: P cores (Coyote Cove)",
	.aliases = "novalake nova-lake nvl-p nvl-core coyote-cove",
	.sysfs = "cpu_core",
	PANTHER_COVE,
};

const struct model model_dmr = {
	.name = "dmr",
	.title = "Diamond Rapids (Panther Cove)",
	.aliases = "diamondrapids diamond-rapids panthercove panther-cove",
	PANTHER_COVE,
};
