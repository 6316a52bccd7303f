// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* Silvermont to Darkmont: small servers, and the E cores from Alder Lake on; Xeon Phi. */
#include "plan/model_tables.h"

static const struct model_rule slm_rules[] = { FIXED_COMMON, RULES_END };

#define FIXED_GRT FIXED_COMMON, PSEUDO_INSTRUCTIONS(AFTER_7_1), PSEUDO_CYCLES, REF_CYCLES

static const struct model_rule grt_rules[] = { FIXED_GRT, RULES_END };

#define FIXED_SKT                                                                                  \
	FIXED_GRT, FIXED(0x0073, 4, "TOPDOWN_BAD_SPECULATION.ALL"),                                \
		PSEUDO_CODE(0x0500, 4, AFTER_7_1, "TOPDOWN_BAD_SPECULATION.ALL"),                  \
		FIXED(0x019c, 5, "TOPDOWN_FE_BOUND.ALL"),                                          \
		PSEUDO_CODE(0x0600, 5, AFTER_7_1, "TOPDOWN_FE_BOUND.ALL"),                         \
		FIXED(0x02c2, 6, "TOPDOWN_RETIRING.ALL"),                                          \
		PSEUDO_CODE(0x0700, 6, AFTER_7_1, "TOPDOWN_RETIRING.ALL")
static const struct model_rule skt_rules[] = { FIXED_SKT, RULES_END };

#define ARW_UP_TO_7_1(code, on, text) RULE(code, BITS_UMASK, on, 0, 0, AFTER_7_1, text)
static const struct model_rule arw_rules[] = {
	FIXED_SKT,
	ARW_UP_TO_7_1(0x01d4, 0x1, "event 0xd4, umask 1"),
	ARW_UP_TO_7_1(0x02d4, 0x2, "event 0xd4, umask 2"),
	ARW_UP_TO_7_1(0x04d4, 0x4, "event 0xd4, umask 4"),
	ARW_UP_TO_7_1(0x08d4, 0x8, "event 0xd4, umask 8"),
	UMASK(0x01b7, 0x1, "OCR.*, the first register"),
	UMASK(0x02b7, 0x2, "OCR.*, the second register"),
	UMASK(0x04b7, 0x4, "OCR.*, the third register"),
	UMASK(0x08b7, 0x8, "OCR.*, the fourth register"),
	UMASK(0x0175, 0x1, "event 0x75, umask 1"),
	UMASK(0x0275, 0x2, "event 0x75, umask 2"),
	UMASK(0x21d3, 0x1, "event 0xd3, umask 0x21"),
	UMASK(0x22d3, 0x1, "event 0xd3, umask 0x22"),
	RULES_END,
};

/* kernel: intel_NAME_extra_regs */
#define RSP(first, second) EXTRA(0x01b7, RSP_0, first), EXTRA(0x02b7, RSP_1, second)
static const struct model_extra slm_extra[] = { RSP(0x768005ffffull, 0x368005ffffull), EXTRA_END };
static const struct model_extra knl_extra[] = { RSP(0x799ffbb6e7ull, 0x399ffbffe7ull), EXTRA_END };
static const struct model_extra glm_extra[] = { RSP(0x760005ffbfull, 0x360005ffbfull), EXTRA_END };
static const struct model_extra tnt_extra[] = {
	RSP(0x800ff0ffffff9fffull, 0xff0ffffff9fffull),
	EXTRA_END,
};
static const struct model_extra grt_extra[] = {
	EXTRA_SINCE(0x01b7, RSP_0, 0x8003f03fffffffffull, 0x3fffffffffull, AFTER_7_1),
	EXTRA_SINCE(0x02b7, RSP_1, 0x3f03fffffffffull, 0x3fffffffffull, AFTER_7_1),
	EXTRA_LDLAT(0x05d0),
	EXTRA_END,
};
static const struct model_extra cmt_extra[] = {
	RSP(0x800ff3ffffffffffull, 0xff3ffffffffffull),
	EXTRA_LDLAT(0x05d0),
	EXTRA(0x0127, SNOOP_0, ~0ull),
	EXTRA(0x0227, SNOOP_1, ~0ull),
	EXTRA_END,
};

#define OMR_ARW 0xc0ffffffffffffffull
static const struct model_extra arw_extra[] = {
	EXTRA(0x01b7, OMR_0, OMR_ARW), EXTRA(0x02b7, OMR_1, OMR_ARW),
	EXTRA(0x04b7, OMR_2, OMR_ARW), EXTRA(0x08b7, OMR_3, OMR_ARW),
	EXTRA_LDLAT(0x05d0),           EXTRA(0x0127, SNOOP_0, ~0ull),
	EXTRA(0x0227, SNOOP_1, ~0ull), EXTRA_END,
};

/*
 * kernel: slm_hw_cache_event_ids, glm_hw_cache_event_ids, glp_hw_cache_event_ids; caches L1D L1I LL
 * DTLB ITLB BPU NODE, each read write prefetch.
 */
static const struct model_names slm_names = {
	.hw = { HW_INTEL },
	.cache = { { { 0, 0x0104 }, { 0, 0 }, { 0, 0 } },
		   { { 0x0380, 0x0280 }, { 0, 0 }, { 0, 0 } },
		   { { OFFCORE, 0 }, { OFFCORE, OFFCORE }, { OFFCORE, OFFCORE } },
		   { { 0, 0x0804 }, { 0, 0 }, { 0, 0 } },
		   { { 0x00c0, 0x40205 }, { 0, 0 }, { 0, 0 } },
		   { { 0x00c4, 0x00c5 }, { 0, 0 }, { 0, 0 } },
		   { { 0, 0 }, { 0, 0 }, { 0, 0 } } },
};

/* Bits of some are not in the register (kernel: slm_hw_cache_extra_regs, intel_knl_extra_regs). */
static const struct model_names knl_names = {
	.hw = { HW_INTEL },
	.cache = { { { 0, 0x0104 }, { 0, 0 }, { 0, 0 } },
		   { { 0x0380, 0x0280 }, { 0, 0 }, { 0, 0 } },
		   { { OFFCORE, 0 }, { OFFCORE, 0 }, { 0, 0 } },
		   { { 0, 0x0804 }, { 0, 0 }, { 0, 0 } },
		   { { 0x00c0, 0x40205 }, { 0, 0 }, { 0, 0 } },
		   { { 0x00c4, 0x00c5 }, { 0, 0 }, { 0, 0 } },
		   { { 0, 0 }, { 0, 0 }, { 0, 0 } } },
};

static const struct model_names glm_names = {
	.hw = { HW_INTEL },
	.cache = { { { 0x81d0, 0 }, { 0x82d0, 0 }, { 0, 0 } },
		   { { 0x0380, 0x0280 }, { 0, 0 }, { 0, 0 } },
		   { { OFFCORE, OFFCORE }, { OFFCORE, OFFCORE }, { OFFCORE, OFFCORE } },
		   { { 0x81d0, 0 }, { 0x82d0, 0 }, { 0, 0 } },
		   { { 0x00c0, 0x0481 }, { 0, 0 }, { 0, 0 } },
		   { { 0x00c4, 0x00c5 }, { 0, 0 }, { 0, 0 } },
		   { { 0, 0 }, { 0, 0 }, { 0, 0 } } },
};

#define CACHE_GLP(itlb_refs)                                                                       \
	{                                                                                          \
		{ { 0x81d0, 0 }, { 0x82d0, 0 }, { 0, 0 } },                                        \
			{ { 0x0380, 0x0280 }, { 0, 0 }, { 0, 0 } },                                \
			{ { OFFCORE, OFFCORE }, { OFFCORE, OFFCORE }, { 0, 0 } },                  \
			{ { 0x81d0, 0x0e08 }, { 0x82d0, 0x0e49 }, { 0, 0 } },                      \
			{ { itlb_refs, 0x0481 }, { 0, 0 }, { 0, 0 } },                             \
			{ { 0x00c4, 0x00c5 }, { 0, 0 }, { 0, 0 } },                                \
		{                                                                                  \
			{ 0, 0 }, { 0, 0 },                                                        \
			{                                                                          \
				0, 0                                                               \
			}                                                                          \
		}                                                                                  \
	}
static const struct model_names glp_names = { .hw = { HW_INTEL }, .cache = CACHE_GLP(0x00c0) };
static const struct model_names tnt_names = { .hw = { HW_INTEL }, .cache = CACHE_GLP(0) };
static const struct model_names grt_names_before = {
	.hw = { HW_INTEL },
	.cache = CACHE_GLP(0),
};
static const struct model_names grt_names = {
	.hw = { HW_GLC },
	.cache = CACHE_GLP(0),
	.before = &grt_names_before,
	.since = AFTER_6_6,
};

static const char *const slm_pfm[] = { "slm", NULL };
static const char *const knl_pfm[] = { "knl", "knm", NULL };
static const char *const glm_pfm[] = { "glm", NULL };
static const char *const tnt_pfm[] = { "tmt", NULL };

#define COUNTERS(general_mask, fixed_mask)                                                         \
	MODEL_INTEL, .general = (general_mask), .general_ht_off = (general_mask),                  \
		     .fixed = (fixed_mask) << COUNTER_FIXED
#define GRACEMONT                                                                                  \
	.pfm = tnt_pfm, .names = &grt_names, .names_of = "Tremont", .rules = grt_rules,            \
	.extra = grt_extra, .precise = &precise_grt, COUNTERS(0x3full, 7ull),                      \
	.words = model_words_grt,                                                                  \
	.source = "kernel: intel_grt_event_constraints; Intel SDM vol. 3B, 20.5"
#define CRESTMONT                                                                                  \
	.pfm = tnt_pfm, .names = &grt_names, .names_of = "Tremont", .rules = grt_rules,            \
	.extra = cmt_extra, .precise = &precise_cmt, COUNTERS(0xffull, 7ull),                      \
	.words = model_words_cmt,                                                                  \
	.source = "kernel: intel_grt_event_constraints, intel_cmt_extra_regs"
#define SKYMONT                                                                                    \
	.pfm = tnt_pfm, .names = &grt_names, .names_of = "Tremont", .rules = skt_rules,            \
	.extra = cmt_extra, .precise = &precise_cmt, COUNTERS(0xffull, 0x77ull),                   \
	.words = model_words_skt,                                                                  \
	.source = "kernel: intel_skt_event_constraints, intel_cmt_extra_regs"

#define DARKMONT                                                                                   \
	.pfm = tnt_pfm, .names = &grt_names, .names_of = "Tremont", .rules = skt_rules,            \
	.extra = cmt_extra, .precise = &precise_dkt, COUNTERS(0xffull, 0x77ull),                   \
	.words = model_words_skt,                                                                  \
	.source = "kernel: intel_skt_event_constraints, intel_dkt_pebs_event_constraints"
#define ARCTIC_WOLF                                                                                \
	.pfm = tnt_pfm, .names = &grt_names, .names_of = "Tremont", .rules = arw_rules,            \
	.extra = arw_extra, .precise = &precise_dkt, COUNTERS(0xffull, 0x77ull),                   \
	.words = model_words_skt,                                                                  \
	.source = "kernel: intel_arw_event_constraints, intel_arw_extra_regs"

const struct model model_slm = {
	.name = "slm",
	.title = "Silvermont, Airmont",
	.pfm = slm_pfm,
	COUNTERS(0x3ull, 7ull),
	.rules = slm_rules,
	.names = &slm_names,
	.source = "kernel: intel_slm_event_constraints; Intel SDM vol. 3B, 20.5",
	.aliases = "silvermont airmont baytrail avoton",
	.extra = slm_extra,
	.precise = &precise_slm,
	.words = model_words_slm,
};

const struct model model_knl = {
	.name = "knl",
	.title = "Xeon Phi: Knights Landing, Knights Mill",
	.pfm = knl_pfm,
	COUNTERS(0x3ull, 7ull),
	.rules = slm_rules,
	.names = &knl_names,
	.source = "kernel: intel_slm_event_constraints, intel_knl_extra_regs",
	.aliases = "knights-landing knightslanding knm knights-mill xeon-phi",
	.extra = knl_extra,
	.precise = &precise_slm,
};

const struct model model_glm = {
	.name = "glm",
	.title = "Goldmont",
	.pfm = glm_pfm,
	COUNTERS(0xfull, 7ull),
	.rules = slm_rules,
	.names = &glm_names,
	.source = "kernel: intel_slm_event_constraints, intel_glm_extra_regs",
	.aliases = "goldmont apollolake apollo-lake denverton",
	.extra = glm_extra,
	.precise = &precise_glm,
	.words = model_words_glm,
};

const struct model model_glp = {
	.name = "glp",
	.title = "Goldmont Plus",
	.pfm = glm_pfm,
	COUNTERS(0xfull, 7ull),
	.rules = slm_rules,
	.names = &glp_names,
	.source = "kernel: intel_slm_event_constraints, intel_glm_extra_regs",
	.aliases = "goldmont-plus goldmontplus geminilake gemini-lake",
	.extra = glm_extra,
	.precise = &precise_glp,
	.words = model_words_glm,
	.names_of = "Goldmont",
};

const struct model model_tnt = {
	.name = "tnt",
	.title = "Tremont",
	.pfm = tnt_pfm,
	COUNTERS(0xfull, 7ull),
	.rules = slm_rules,
	.names = &tnt_names,
	.source = "kernel: intel_slm_event_constraints, intel_tnt_extra_regs",
	.aliases = "tremont tmt snowridge snow-ridge elkhartlake elkhart-lake jasperlake snr ehl",
	.extra = tnt_extra,
	.precise = &precise_tnt,
	.words = model_words_tnt,
};

const struct model model_adl_atom = {
	.name = "adl_atom",
	.title = "Alder Lake, Raptor Lake: E cores (Gracemont)",
	.aliases = "adl-e adl-grt alderlake-e rpl-e rpl-atom raptorlake-e grt gracemont adl-n",
	.sysfs = "cpu_atom",
	GRACEMONT,
};

const struct model model_mtl_atom = {
	.name = "mtl_atom",
	.title = "Meteor Lake, Arrow Lake U: E cores (Crestmont)",
	.aliases = "mtl-e mtl-cmt meteorlake-e arl-u-e arl-lowpower",
	.sysfs = "cpu_atom",
	CRESTMONT,
};

const struct model model_arl_atom = {
	.name = "arl_atom",
	.title = "Arrow Lake: E cores (Skymont)",
	.aliases = "arl-e arl-skt arrowlake-e arl-h-e skymont skt",
	.sysfs = "cpu_atom",
	SKYMONT,
};

const struct model model_lnl_atom = {
	.name = "lnl_atom",
	.title = "Lunar Lake: E cores (Skymont)",
	.aliases = "lnl-e lnl-skt lunarlake-e",
	.sysfs = "cpu_atom",
	SKYMONT,
};

const struct model model_ptl_atom = {
	.name = "ptl_atom",
	.title = "Panther Lake, Wildcat Lake: E cores (Darkmont)",
	.aliases = "ptl-e ptl-dkt pantherlake-e wcl-e",
	.sysfs = "cpu_atom",
	DARKMONT,
};

const struct model model_nvl_atom = {
	.name = "nvl_atom",
	.title = "Nova Lake: E cores (Arctic Wolf)",
	.aliases = "nvl-e nvl-arw novalake-e",
	.sysfs = "cpu_atom",
	ARCTIC_WOLF,
};

const struct model model_srf = {
	.name = "srf",
	.title = "Sierra Forest, Grand Ridge (Crestmont)",
	.aliases = "sierraforest sierra-forest grr grandridge grand-ridge crestmont cmt",
	CRESTMONT,
};

const struct model model_cwf = {
	.name = "cwf",
	.title = "Clearwater Forest (Darkmont)",
	.aliases = "clearwaterforest clearwater-forest darkmont dkt",
	DARKMONT,
};
