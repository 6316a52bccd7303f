// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* The constraints of PEBS: arch/x86/events/intel/ds.c, intel_NAME_pebs_event_constraints. */
#include "plan/model_tables.h"
#include "plan/precise.h"

/* These rules allow no modifiers. */
#define P_UMASK(code, on, text) RULE(code, BITS_UMASK | CODE_MODIFIERS, on, 0, 0, 0, text)
#define P_EVENT(code, on, text) RULE(code, BITS_EVENT | CODE_MODIFIERS, on, 0, 0, 0, text)
#define P_EVENTS(first, last, on, text)                                                            \
	{                                                                                          \
		.lo = (first), .hi = (last), .mask = BITS_EVENT | CODE_MODIFIERS,                  \
		.counters = (on), .what = (text)                                                   \
	}
#define P_ANY(on) RULE(0, CODE_MODIFIERS, on, 0, 0, 0, "any event without modifiers")
/* The HT erratum's events: by code (Sandy Bridge), by umask or code (Haswell). */
#define P_CORRUPTING(code, bits, text)                                                             \
	RULE(code, bits, 0xf, RULE_CORRUPTING, KERNEL_RC(4, 1, 1), 0, text)
#define P_CORRUPTING_UMASK(code)                                                                   \
	P_CORRUPTING(code, BITS_UMASK | CODE_MODIFIERS, "MEM_UOPS_RETIRED.*")
#define P_CORRUPTING_EVENT(code, text) P_CORRUPTING(code, BITS_EVENT | CODE_MODIFIERS, text)

/* Cycles in which no more than 16 micro-operations or instructions retire: all. */
#define CYCLES_BY_INSTRUCTIONS 0x108000c0ull
#define CYCLES_BY_UOPS 0x108001c2ull
#define CYCLES_BY_PREC_DIST 0x108001c0ull

#define COMMON_NHM                                                                                 \
	P_UMASK(0x100b, 0xf, "MEM_INST_RETIRED.LATENCY_ABOVE_THRESHOLD"),                          \
		P_EVENT(0x0f, 0xf, "MEM_UNCORE_RETIRED.*"),                                        \
		P_UMASK(0x010c, 0xf, "MEM_STORE_RETIRED.DTLB_MISS"),                               \
		P_EVENT(0xc0, 0xf, "INST_RETIRED.*"), EVENT(0xc2, 0xf, 0, "UOPS_RETIRED.*"),       \
		P_EVENT(0xc4, 0xf, "BR_INST_RETIRED.*"),                                           \
		P_EVENT(0xc7, 0xf, "SSEX_UOPS_RETIRED.*"),                                         \
		P_UMASK(0x20c8, 0xf, "ITLB_MISS_RETIRED"),                                         \
		P_EVENT(0xcb, 0xf, "MEM_LOAD_RETIRED.*"), P_EVENT(0xf7, 0xf, "FP_ASSIST.*"),       \
		P_UMASK(CYCLES_BY_INSTRUCTIONS, 0xf, "cycles")
static const struct model_rule nhm_rules[] = {
	COMMON_NHM,
	P_UMASK(0x02c5, 0xf, "BR_MISP_RETIRED.NEAR_CALL"),
	RULES_END,
};
static const struct model_rule wsm_rules[] = {
	COMMON_NHM,
	P_EVENT(0xc5, 0xf, "BR_MISP_RETIRED.*"),
	RULES_END,
};

#define COMMON_SNB                                                                                 \
	P_UMASK(0x01c0, 0x2, "INST_RETIRED.PREC_DIST"),                                            \
		P_UMASK(0x01cd, 0x8, "MEM_TRANS_RETIRED.LATENCY_ABOVE_THRESHOLD"),                 \
		P_UMASK(0x02cd, 0x8, "MEM_TRANS_RETIRED.PRECISE_STORE"),                           \
		P_UMASK(CYCLES_BY_UOPS, 0xf, "cycles"),                                            \
		P_CORRUPTING(0xd0, BITS_EVENT, "MEM_UOPS_RETIRED.*"),                              \
		P_CORRUPTING(0xd1, BITS_EVENT, "MEM_LOAD_UOPS_RETIRED.*"),                         \
		P_CORRUPTING(0xd2, BITS_EVENT, "MEM_LOAD_UOPS_LLC_HIT_RETIRED.*"),                 \
		P_CORRUPTING(0xd3, BITS_EVENT, "MEM_LOAD_UOPS_LLC_MISS_RETIRED.*")
#define PREC_DIST_CYCLES P_UMASK(CYCLES_BY_PREC_DIST, 0x2, "cycles, by INST_RETIRED.PREC_DIST")
static const struct model_rule snb_rules[] = { COMMON_SNB, P_ANY(0xf), RULES_END };
static const struct model_rule ivb_rules[] = {
	COMMON_SNB,
	PREC_DIST_CYCLES,
	P_ANY(0xf),
	RULES_END,
};

#define COMMON_HSW                                                                                 \
	P_UMASK(0x01c0, 0x2, "INST_RETIRED.PREC_DIST"), P_UMASK(CYCLES_BY_UOPS, 0xf, "cycles"),    \
		PREC_DIST_CYCLES
static const struct model_rule hsw_rules[] = {
	COMMON_HSW,
	P_CORRUPTING_UMASK(0x11d0),
	P_CORRUPTING_UMASK(0x21d0),
	P_CORRUPTING_UMASK(0x41d0),
	P_CORRUPTING_UMASK(0x81d0),
	P_CORRUPTING_UMASK(0x12d0),
	P_CORRUPTING_UMASK(0x42d0),
	P_CORRUPTING_UMASK(0x82d0),
	P_CORRUPTING_EVENT(0xd1, "MEM_LOAD_UOPS_RETIRED.*"),
	P_CORRUPTING_EVENT(0xd2, "MEM_LOAD_UOPS_L3_HIT_RETIRED.*"),
	P_CORRUPTING_EVENT(0xd3, "MEM_LOAD_UOPS_L3_MISS_RETIRED.*"),
	P_ANY(0xf),
	RULES_END,
};
static const struct model_rule bdw_rules[] = { COMMON_HSW, P_ANY(0xf), RULES_END };
static const struct model_rule skl_rules[] = {
	P_UMASK(0x01c0, 0x2, "INST_RETIRED.PREC_DIST"),
	PREC_DIST_CYCLES,
	P_UMASK(CYCLES_BY_INSTRUCTIONS, 0xf, "cycles"),
	P_ANY(0xf),
	RULES_END,
};

#define P_SLOTS P_UMASK(0x0400, COUNTER_BIT(COUNTER_FIXED + 3), "TOPDOWN.SLOTS")
#define P_PREC_DIST(code) P_UMASK(code, COUNTER_BIT(COUNTER_FIXED), "INST_RETIRED.PREC_DIST")
#define P_LOADS                                                                                    \
	P_EVENTS(0xd1, 0xd4, 0xf, "MEM_LOAD_*_RETIRED.*"), P_EVENT(0xd0, 0xf, "MEM_INST_RETIRED.*")
static const struct model_rule icl_rules[] = {
	/* 7.2 has this rule, 7.3 does not. */
	RULE(0x01c0, BITS_UMASK | CODE_MODIFIERS, COUNTER_BIT(COUNTER_FIXED), 0, 0,
	     KERNEL_RC(7, 3, 1), "INST_RETIRED.PREC_DIST"),
	P_PREC_DIST(0x0100),
	P_SLOTS,
	P_UMASK(0x01cd, 0xff, "MEM_TRANS_RETIRED.LOAD_LATENCY"),
	P_LOADS,
	RULES_END,
};
static const struct model_rule glc_rules[] = {
	P_PREC_DIST(0x0100),
	P_SLOTS,
	P_EVENT(0xc0, 0xfe, "INST_RETIRED.*"),
	P_UMASK(0x01cd, 0xfe, "MEM_TRANS_RETIRED.LOAD_LATENCY"),
	P_UMASK(0x02cd, 0x1, "MEM_TRANS_RETIRED.STORE_SAMPLE"),
	P_LOADS,
	RULES_END,
};
static const struct model_rule lnc_rules[] = {
	P_PREC_DIST(0x0100),
	P_SLOTS,
	P_UMASK(0x012a, 0x1, "OCR.*"),
	P_UMASK(0x012b, 0x1, "OCR.*"),
	P_UMASK(0x01cd, 0x3fc, "MEM_TRANS_RETIRED.LOAD_LATENCY"),
	P_UMASK(0x02cd, 0x3, "MEM_TRANS_RETIRED.STORE_SAMPLE"),
	RULES_END,
};
static const struct model_rule pnc_rules[] = {
	P_PREC_DIST(0x0100),
	P_SLOTS,
	P_UMASK(0x01cd, 0xfc, "MEM_TRANS_RETIRED.LOAD_LATENCY"),
	P_UMASK(0x02cd, 0x3, "MEM_TRANS_RETIRED.STORE_SAMPLE"),
	RULES_END,
};

static const struct model_rule slm_rules[] = {
	P_UMASK(CYCLES_BY_INSTRUCTIONS, 0x1, "cycles"),
	P_ANY(0x1),
	RULES_END,
};
static const struct model_rule glm_rules[] = { P_ANY(0x1), RULES_END };
#define LATENCIES(loads, stores)                                                                   \
	{                                                                                          \
		P_UMASK(0x05d0, loads, "MEM_UOPS_RETIRED.LOAD_LATENCY"),                           \
			P_UMASK(0x06d0, stores, "MEM_UOPS_RETIRED.STORE_LATENCY"), RULES_END,      \
	}
static const struct model_rule grt_rules[] = LATENCIES(0x3, 0x3f);
static const struct model_rule cmt_rules[] = LATENCIES(0x3, 0xff);
static const struct model_rule dkt_rules[] = LATENCIES(0xff, 0xff);

const struct precise_rules precise_nhm = { .rules = nhm_rules,
					   .max = 2,
					   .cycles = CYCLES_BY_INSTRUCTIONS };
const struct precise_rules precise_wsm = { .rules = wsm_rules,
					   .max = 2,
					   .cycles = CYCLES_BY_INSTRUCTIONS };
const struct precise_rules precise_snb = { .rules = snb_rules, .max = 2, .cycles = CYCLES_BY_UOPS };
#define CORE_CYCLES(by) .max = 3, .cycles = (by), .cycles_three = CYCLES_BY_PREC_DIST
const struct precise_rules precise_ivb = { .rules = ivb_rules, CORE_CYCLES(CYCLES_BY_UOPS) };
const struct precise_rules precise_hsw = { .rules = hsw_rules, CORE_CYCLES(CYCLES_BY_UOPS) };
const struct precise_rules precise_bdw = { .rules = bdw_rules, CORE_CYCLES(CYCLES_BY_UOPS) };
const struct precise_rules precise_skl = { .rules = skl_rules,
					   CORE_CYCLES(CYCLES_BY_INSTRUCTIONS) };
#define ALL .all = true, .max = 3
const struct precise_rules precise_icl = { .rules = icl_rules, ALL, .three = THREE_FIX0 };
const struct precise_rules precise_glc = { .rules = glc_rules, ALL, .three = THREE_FIX0_OR_PMC0 };
const struct precise_rules precise_lnc = { .rules = lnc_rules, ALL, .three = THREE_FIX0_OR_PMC0 };
const struct precise_rules precise_pnc = { .rules = pnc_rules, ALL, .three = THREE_FIX0_OR_PMC0 };
const struct precise_rules precise_slm = { .rules = slm_rules,
					   .max = 2,
					   .cycles = CYCLES_BY_INSTRUCTIONS };
const struct precise_rules precise_glm = { .rules = glm_rules, .max = 3 };
const struct precise_rules precise_glp = { ALL, .three = THREE_PMC0 };
const struct precise_rules precise_tnt = { ALL, .three = THREE_PMC0_FIX0 };
const struct precise_rules precise_grt = { .rules = grt_rules, ALL, .three = THREE_PMC0_FIX0 };
const struct precise_rules precise_cmt = { .rules = cmt_rules, ALL, .three = THREE_PMC01_FIX0 };
const struct precise_rules precise_dkt = { .rules = dkt_rules, ALL, .three = THREE_PMC01_FIX0 };
const struct precise_rules precise_ibs = { .ibs = true, .max = 2 };
