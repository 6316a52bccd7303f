/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* The families' tables, and how their rules are written. Internal to plan/model*.c. */
#ifndef BPFPERF_PLAN_MODEL_TABLES_H
#define BPFPERF_PLAN_MODEL_TABLES_H

#include "event/pfm.h"
#include "plan/model.h"

#define DECLARE_MODEL(name) extern const struct model model_##name;
MODEL_LIST(DECLARE_MODEL)
#undef DECLARE_MODEL
/* Codes that Intel calls architectural, with no cache events. */
extern const struct model_names model_names_arch;
/* PMUv3: any event on any counter, cycles on their own one as well. */
extern const struct model_names model_names_armv8;
extern const struct model_rule model_rules_armv8[], model_rules_olympus[];

/* PEBS by family, and AMD's IBS: model_precise.c. */
extern const struct precise_rules precise_nhm, precise_wsm, precise_snb, precise_ivb, precise_hsw;
extern const struct precise_rules precise_bdw, precise_skl, precise_icl, precise_glc, precise_lnc;
extern const struct precise_rules precise_pnc, precise_slm, precise_glm, precise_glp, precise_tnt;
extern const struct precise_rules precise_grt, precise_cmt, precise_dkt, precise_ibs;

/* Which bits of an event's code a rule looks at (kernel: arch/x86/events/perf_event.h). */
#define BITS_EVENT 0xffull
#define BITS_UMASK 0xffffull
/* Event, umask, edge, inv, cmask, in_tx, in_tx_cp: a fixed counter counts the plain event alone. */
#define BITS_ALL 0x3ff84ffffull

#define RULE(code, bits, on, fl, from, to, text)                                                   \
	{                                                                                          \
		.lo = (code), .hi = (code), .mask = (bits), .counters = (on), .flags = (fl),       \
		.since = (from), .until = (to), .what = (text)                                     \
	}
/* The event's code with any umask; with this umask; on fixed counter n, or on general ones too. */
#define EVENT(code, on, from, text) RULE(code, BITS_EVENT, on, 0, from, 0, text)
#define UMASK(code, on, text) RULE(code, BITS_UMASK, on, 0, 0, 0, text)
#define FIXED(code, n, text)                                                                       \
	RULE(code, BITS_ALL, COUNTER_BIT(COUNTER_FIXED + (n)), RULE_GENERAL_TOO, 0, 0, text)
#define FIXED_ONLY(code, n, text)                                                                  \
	RULE(code, BITS_ALL, COUNTER_BIT(COUNTER_FIXED + (n)), 0, 0, 0, text)
/* The HT erratum's events: general counters 0–3, and care for the other thread, from 4.1 on. */
#define CORRUPTING(code, text)                                                                     \
	RULE(code, BITS_EVENT, 0xf, RULE_CORRUPTING, KERNEL_RC(4, 1, 1), 0, text)
/* The 12 bits of an event's code on AMD, with any umask. */
#define BITS_AMD 0xf000000ffull
#define EVENTS(first, last, on, text)                                                              \
	{                                                                                          \
		.lo = (first), .hi = (last), .mask = BITS_EVENT, .counters = (on), .what = (text)  \
	}

/* The fixed counters that all families have. */
#define FIXED_COMMON                                                                               \
	FIXED(0x00c0, 0, "INST_RETIRED.ANY"), FIXED(0x003c, 1, "CPU_CLK_UNHALTED.CORE"),           \
		FIXED_ONLY(0x0300, 2, "CPU_CLK_UNHALTED.REF")

/* Rules that 7.2 has; Debian's images of 6.12, 6.17, 6.19, 7.0 and 7.1.13 do not. */
#define AFTER_7_1 KERNEL_RC(7, 2, 1)
/* Pseudo codes of fixed counters, which no general counter counts. */
#define PSEUDO_CODE(code, n, from, text)                                                           \
	RULE(code, BITS_ALL, COUNTER_BIT(COUNTER_FIXED + (n)), 0, from, 0, text)
#define PSEUDO_INSTRUCTIONS(from) PSEUDO_CODE(0x0100, 0, from, "INST_RETIRED.ANY")
#define PSEUDO_CYCLES PSEUDO_CODE(0x0200, 1, AFTER_7_1, "CPU_CLK_UNHALTED.THREAD")
/*
 * From Golden Cove and Gracemont on general counters count this event as well, and ref-cycles means
 * it (kernel: intel_pmu_ref_cycles_ext()); until then ref-cycles was the fixed counter's alone.
 */
#define AFTER_6_6 KERNEL_RC(6, 7, 1)
#define REF_CYCLES                                                                                 \
	RULE(0x013c, BITS_ALL, COUNTER_BIT(COUNTER_FIXED + 2), RULE_GENERAL_TOO, AFTER_6_6, 0,     \
	     "CPU_CLK_UNHALTED.REF_TSC_P")
/* An event with this umask, from that kernel on. */
#define UMASK_FROM(code, on, from, text) RULE(code, BITS_UMASK, on, 0, from, 0, text)

/* A metric of topdown, which the kernel computes from slots and one register. */
#define METRIC(code, n, text)                                                                      \
	RULE(code, BITS_UMASK, COUNTER_BIT(COUNTER_METRIC + (n)), RULE_METRIC, 0, 0, text)
#define METRICS_LEVEL_1                                                                            \
	METRIC(0x8000, 0, "topdown-retiring"), METRIC(0x8100, 1, "topdown-bad-spec"),              \
		METRIC(0x8200, 2, "topdown-fe-bound"), METRIC(0x8300, 3, "topdown-be-bound")
#define METRICS_LEVEL_2                                                                            \
	METRIC(0x8400, 4, "topdown-heavy-ops"), METRIC(0x8500, 5, "topdown-br-mispredict"),        \
		METRIC(0x8600, 6, "topdown-fetch-lat"), METRIC(0x8700, 7, "topdown-mem-bound")

/* Registers beside the counters. */
#define EXTRA(event, kind, values)                                                                 \
	{                                                                                          \
		.code = (event), .reg = MODEL_REG_##kind, .valid = (values)                        \
	}
/* Kernels before `from` take other values, or, where these are 0, need no register. */
#define EXTRA_SINCE(event, kind, values, before, from)                                             \
	{                                                                                          \
		.code = (event), .reg = MODEL_REG_##kind, .valid = (values),                       \
		.valid_before = (before), .since = (from)                                          \
	}
#define EXTRA_LDLAT(event) EXTRA(event, LDLAT, 0xffff)
#define EXTRA_END                                                                                  \
	{                                                                                          \
		.code = 0                                                                          \
	}

/* The kernel's names of events, by family: model_words.c. */
extern const struct pmu_word model_words_nhm[], model_words_snb[], model_words_hsw[];
extern const struct pmu_word model_words_icl[], model_words_glc[], model_words_slm[];
extern const struct pmu_word model_words_glm[], model_words_tnt[], model_words_grt[];
extern const struct pmu_word model_words_cmt[], model_words_skt[];

/* The members that all families share, and those of the families before Ice Lake. */
#define MODEL_INTEL                                                                                \
	.policy = POLICY_WEIGHT, .general_prefix = "PMC", .fixed_prefix = "FIX",                   \
	.has_extra_regs = true, .has_watchdog = true
#define MODEL_FOUR_GENERAL .general = 0xf, .general_ht_off = 0xff, .fixed = 7ull << COUNTER_FIXED

/* PERF_COUNT_HW_CPU_CYCLES … PERF_COUNT_HW_REF_CPU_CYCLES on Intel, without stalled cycles. */
#define HW_INTEL 0x003c, 0x00c0, 0x4f2e, 0x412e, 0x00c4, 0x00c5, 0x013c, 0, 0, 0x0300
/* From Golden Cove and Gracemont on, and kernel AFTER_6_6. */
#define HW_GLC 0x003c, 0x00c0, 0x4f2e, 0x412e, 0x00c4, 0x00c5, 0x013c, 0, 0, 0x013c
/*
 * The code of last-level and memory cache events: OFFCORE_RESPONSE, which has a register of its
 * own.
 */
#define OFFCORE 0x01b7
#define OFFCORE_GLC 0x012a /* Golden Cove and later */

#endif
