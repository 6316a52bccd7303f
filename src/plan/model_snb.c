// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* Sandy Bridge and Ivy Bridge. */
#include "plan/model_tables.h"

/* 3.10 … 4.0 refuse the events of the HT erratum on Ivy Bridge. */
#define BLACKLISTED(code, text)                                                                    \
	RULE(code, BITS_EVENT, 0, RULE_BLACKLISTED, KERNEL_RC(3, 10, 1), KERNEL_RC(4, 1, 1), text)

static const struct model_rule snb_rules[] = {
	FIXED_COMMON,
	UMASK(0x04a3, 0xf, "CYCLE_ACTIVITY.CYCLES_NO_DISPATCH"),
	UMASK(0x05a3, 0xf, "CYCLE_ACTIVITY.STALLS_L2_PENDING"),
	UMASK(0x02a3, 0x4, "CYCLE_ACTIVITY.CYCLES_L1D_PENDING"),
	UMASK(0x06a3, 0x4, "CYCLE_ACTIVITY.STALLS_L1D_PENDING"),
	EVENT(0x48, 0x4, 0, "L1D_PEND_MISS.*"),
	UMASK(0x01c0, 0x2, "INST_RETIRED.PREC_DIST"),
	EVENT(0xcd, 0x8, 0, "MEM_TRANS_RETIRED.*"),
	CORRUPTING(0xd0, "MEM_UOPS_RETIRED.*"),
	CORRUPTING(0xd1, "MEM_LOAD_UOPS_RETIRED.*"),
	CORRUPTING(0xd2, "MEM_LOAD_UOPS_LLC_HIT_RETIRED.*"),
	CORRUPTING(0xd3, "MEM_LOAD_UOPS_LLC_MISS_RETIRED.*"),
	RULES_END,
};

static const struct model_rule ivb_rules[] = {
	FIXED_COMMON,
	UMASK(0x0148, 0x4, "L1D_PEND_MISS.PENDING"),
	UMASK(0x0279, 0xf, "IDQ.EMPTY"),
	UMASK(0x019c, 0xf, "IDQ_UOPS_NOT_DELIVERED.CORE"),
	UMASK(0x02a3, 0xf, "CYCLE_ACTIVITY.CYCLES_LDM_PENDING"),
	UMASK(0x04a3, 0xf, "CYCLE_ACTIVITY.CYCLES_NO_EXECUTE"),
	UMASK(0x05a3, 0xf, "CYCLE_ACTIVITY.STALLS_L2_PENDING"),
	UMASK(0x06a3, 0xf, "CYCLE_ACTIVITY.STALLS_LDM_PENDING"),
	UMASK(0x08a3, 0x4, "CYCLE_ACTIVITY.CYCLES_L1D_PENDING"),
	UMASK(0x0ca3, 0x4, "CYCLE_ACTIVITY.STALLS_L1D_PENDING"),
	UMASK(0x01c0, 0x2, "INST_RETIRED.PREC_DIST"),
	BLACKLISTED(0xd0, "MEM_UOPS_RETIRED.*"),
	BLACKLISTED(0xd1, "MEM_LOAD_UOPS_RETIRED.*"),
	BLACKLISTED(0xd2, "MEM_LOAD_UOPS_LLC_HIT_RETIRED.*"),
	BLACKLISTED(0xd3, "MEM_LOAD_UOPS_LLC_MISS_RETIRED.*"),
	CORRUPTING(0xd0, "MEM_UOPS_RETIRED.*"),
	CORRUPTING(0xd1, "MEM_LOAD_UOPS_RETIRED.*"),
	CORRUPTING(0xd2, "MEM_LOAD_UOPS_LLC_HIT_RETIRED.*"),
	CORRUPTING(0xd3, "MEM_LOAD_UOPS_LLC_MISS_RETIRED.*"),
	RULES_END,
};

/*
 * kernel: snb_hw_cache_event_ids; caches L1D L1I LL DTLB ITLB BPU NODE, each read write prefetch.
 * remote: the code of those that ask for SNB_REMOTE, which the register of a client lacks: 0.
 */
#define CACHE_SNB(dtlb_misses, remote)                                                             \
	{                                                                                          \
		{ { 0xf1d0, 0x0151 }, { 0xf2d0, 0x0851 }, { 0, 0x024e } },                         \
			{ { 0, 0x0280 }, { 0, 0 }, { 0, 0 } },                                     \
			{ { OFFCORE, remote }, { OFFCORE, remote }, { OFFCORE, remote } },         \
			{ { 0x81d0, dtlb_misses }, { 0x82d0, 0x0149 }, { 0, 0 } },                 \
			{ { 0x1085, 0x0185 }, { 0, 0 }, { 0, 0 } },                                \
			{ { 0x00c4, 0x00c5 }, { 0, 0 }, { 0, 0 } },                                \
		{                                                                                  \
			{ remote, remote }, { remote, remote },                                    \
			{                                                                          \
				remote, remote                                                     \
			}                                                                          \
		}                                                                                  \
	}

/* Stalled cycles: UOPS_ISSUED.ANY and UOPS_DISPATCHED.THREAD, inverted, counting cycles. */
#define HW_SNB(stalled_backend)                                                                    \
	.hw = { 0x003c, 0x00c0, 0x4f2e,    0x412e,          0x00c4,                                \
		0x00c5, 0x013c, 0x180010e, stalled_backend, 0x0300 }

static const struct model_names snb_names = {
	HW_SNB(0x18001b1),
	.cache = CACHE_SNB(0x0108, 0),
};

static const struct model_names snb_ep_names = {
	HW_SNB(0x18001b1),
	.cache = CACHE_SNB(0x0108, OFFCORE),
};

static const struct model_names ivb_names = {
	HW_SNB(0),
	.cache = CACHE_SNB(0x8108, 0),
};

static const struct model_names ivb_ep_names = {
	HW_SNB(0),
	.cache = CACHE_SNB(0x8108, OFFCORE),
};

/* libpfm4 lacks a few umasks on Sandy Bridge that Ivy Bridge has under equal codes. */
static const char *const snb_pfm[] = { "snb", "snb_ep", "ivb", NULL };
static const char *const snb_ep_pfm[] = { "snb_ep", "snb", "ivb", NULL };
static const char *const ivb_pfm[] = { "ivb", "ivb_ep", NULL };
static const char *const ivb_ep_pfm[] = { "ivb_ep", "ivb", NULL };

/* kernel: intel_snb_extra_regs */
static const struct model_extra snb_extra[] = {
	EXTRA(0x01b7, RSP_0, 0x3f807f8fffull),
	EXTRA(0x01bb, RSP_1, 0x3f807f8fffull),
	EXTRA_LDLAT(0x01cd),
	EXTRA_END,
};

/* kernel: intel_snbep_extra_regs */
static const struct model_extra snb_ep_extra[] = {
	EXTRA(0x01b7, RSP_0, 0x3fffff8fffull),
	EXTRA(0x01bb, RSP_1, 0x3fffff8fffull),
	EXTRA_LDLAT(0x01cd),
	EXTRA_END,
};

#define MODEL_SNB                                                                                  \
	MODEL_INTEL, MODEL_FOUR_GENERAL, .rules = snb_rules, .precise = &precise_snb,              \
					 .words = model_words_snb, .ht_erratum = true,             \
					 .source = "kernel: intel_snb_event_constraints; Intel "   \
						   "SDM vol. 3B, 18.9"
#define MODEL_IVB                                                                                  \
	MODEL_INTEL, MODEL_FOUR_GENERAL, .rules = ivb_rules, .precise = &precise_ivb,              \
					 .words = model_words_snb, .ht_erratum = true,             \
					 .source = "kernel: intel_ivb_event_constraints; Intel "   \
						   "SDM vol. 3B, 18.10"

const struct model model_snb = {
	.name = "snb",
	.title = "Sandy Bridge",
	.pfm = snb_pfm,
	MODEL_SNB,
	.names = &snb_names,
	.aliases = "sandybridge sandy-bridge",
	.extra = snb_extra,
};

const struct model model_snb_ep = {
	.name = "snb_ep",
	.title = "Sandy Bridge server",
	.pfm = snb_ep_pfm,
	MODEL_SNB,
	.names = &snb_ep_names,
	.aliases = "snbep jkt jaketown sandybridge-ep",
	.extra = snb_ep_extra,
};

const struct model model_ivb = {
	.name = "ivb",
	.title = "Ivy Bridge",
	.pfm = ivb_pfm,
	MODEL_IVB,
	.names = &ivb_names,
	.aliases = "ivybridge ivy-bridge",
	.extra = snb_extra,
};

const struct model model_ivb_ep = {
	.name = "ivb_ep",
	.title = "Ivy Bridge server",
	.pfm = ivb_ep_pfm,
	MODEL_IVB,
	.names = &ivb_ep_names,
	.aliases = "ivbep ivt ivytown ivybridge-ep",
	.extra = snb_ep_extra,
};
