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

static const struct model_rule icl_rules[] = {
	FIXED_COMMON,
	PSEUDO_INSTRUCTIONS(0),
	PSEUDO_CYCLES,
	FIXED(0x01c0, 0, "INST_RETIRED.PREC_DIST"),
	FIXED_ONLY(0x0400, 3, "TOPDOWN.SLOTS"),
	METRICS_LEVEL_1,
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
#define NAMES_SKL(itlb_refs)                                                                       \
	{                                                                                          \
		.hw = { HW_INTEL },                                                                \
		.cache = { { { 0x81d0, 0x0151 }, { 0x82d0, 0 }, { 0, 0 } },                        \
			   { { 0, 0x0283 }, { 0, 0 }, { 0, 0 } },                                  \
			   { { OFFCORE, OFFCORE }, { OFFCORE, OFFCORE }, { 0, 0 } },               \
			   { { 0x81d0, 0x0e08 }, { 0x82d0, 0x0e49 }, { 0, 0 } },                   \
			   { { itlb_refs, 0x0e85 }, { 0, 0 }, { 0, 0 } },                          \
			   { { 0x00c4, 0x00c5 }, { 0, 0 }, { 0, 0 } },                             \
			   { { OFFCORE, OFFCORE }, { OFFCORE, OFFCORE }, { 0, 0 } } },             \
	}
static const struct model_names skl_names = NAMES_SKL(0x2085);
static const struct model_names icl_names = NAMES_SKL(0);

static const char *const skl_pfm[] = { "skl", NULL };
static const char *const skx_pfm[] = { "skx", "skl", NULL };
static const char *const clx_pfm[] = { "clx", "skx", "skl", NULL };
static const char *const icl_pfm[] = { "icl", NULL };
static const char *const icx_pfm[] = { "icx", "icl", NULL };

/* kernel: intel_skl_extra_regs */
static const struct model_extra skl_extra[] = {
	EXTRA(0x01b7, RSP_0, 0x3fffff8fffull),
	EXTRA(0x01bb, RSP_1, 0x3fffff8fffull),
	EXTRA_LDLAT(0x01cd),
	EXTRA(0x01c6, FE, 0x7fff17),
	EXTRA_END,
};

/* kernel: intel_icl_extra_regs */
static const struct model_extra icl_extra[] = {
	EXTRA(0x01b7, RSP_0, 0x3fffffbfffull),
	EXTRA(0x01bb, RSP_1, 0x3fffffbfffull),
	EXTRA_LDLAT(0x01cd),
	EXTRA(0x01c6, FE, 0x7fff17),
	EXTRA_END,
};

#define SKYLAKE                                                                                    \
	MODEL_INTEL, MODEL_FOUR_GENERAL, .rules = skl_rules, .names = &skl_names, .tfa = true,     \
					 .has_tsx = true, .extra = skl_extra,                      \
					 .precise = &precise_skl, .words = model_words_hsw,        \
					 .source = "kernel: intel_skl_event_constraints, "         \
						   "tfa_get_event_constraints; Intel SDM vol. "    \
						   "3B, 18.13"

const struct model model_skl = {
	.name = "skl",
	.title = "Skylake",
	.pfm = skl_pfm,
	.aliases = "skylake kbl kabylake kaby-lake cfl coffeelake coffee-lake whl amberlake cml "
		   "cometlake comet-lake whiskey-lake",
	SKYLAKE,
};

const struct model model_skx = {
	.name = "skx",
	.title = "Skylake server",
	.pfm = skx_pfm,
	.aliases = "skylakex skylake-x skylake-server skl-sp skylake-sp skylake-avx512",
	SKYLAKE,
};

const struct model model_clx = {
	.name = "clx",
	.title = "Cascade Lake, Cooper Lake",
	.pfm = clx_pfm,
	.aliases = "cascadelake cascade-lake cascadelakex cpx cooperlake cooper-lake",
	SKYLAKE,
};

#define ICE_LAKE                                                                                   \
	MODEL_INTEL, .general = 0xff, .general_ht_off = 0xff,                                      \
		     .fixed = 0xfull << COUNTER_FIXED | 0xfull << COUNTER_METRIC,                  \
		     .rules = icl_rules, .names = &icl_names, .has_tsx = true, .extra = icl_extra, \
		     .precise = &precise_icl, .words = model_words_icl,                            \
		     .source = "kernel: intel_icl_event_constraints"

const struct model model_icl = {
	.name = "icl",
	.title = "Ice Lake (Sunny Cove)",
	.pfm = icl_pfm,
	.aliases = "icelake ice-lake tgl tigerlake tiger-lake rkl rocketlake rocket-lake "
		   "icelake-client sunny-cove willow-cove cypress-cove",
	ICE_LAKE,
};

const struct model model_icx = {
	.name = "icx",
	.title = "Ice Lake server (Sunny Cove)",
	.pfm = icx_pfm,
	.aliases = "icelakex icelake-x icelake-server ice-lake-server icx-d",
	ICE_LAKE,
};
