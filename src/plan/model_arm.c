// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * arm64: PMUv3 of Arm's own cores and Ampere's, which have counters that are alike, and Apple's,
 * which are not. Each event is placed on the first counter that is free.
 */
#include "plan/model_tables.h"

static const char *const n1_pfm[] = { "armv8/neoverse-n1", "arm_n1", NULL };
static const char *const v1_pfm[] = { "armv8/neoverse-v1", "arm_v1", NULL };
static const char *const n2_pfm[] = { "armv8/neoverse-n2", "arm_n2", NULL };
static const char *const v2_pfm[] = { "armv8/neoverse-n2", "arm_v2", NULL };
static const char *const a57_pfm[] = { "armv8/cortex-a57", "arm_ac57", NULL };
static const char *const a53_pfm[] = { PFM_ARMV8, "arm_ac53", NULL };
static const char *const a76_pfm[] = { "armv8/cortex-a76", NULL };
static const char *const a78_pfm[] = { "armv8/cortex-a78", NULL };
static const char *const common_pfm[] = { PFM_ARMV8, NULL };
static const char *const apple_pfm[] = { "apple-m1", NULL };

/* The manuals of these cores: six event counters and the cycle counter. */
#define ARM_CORE_LIKE(id, shown, names_pfm, other_names, common, common_ext, core_rules, from)     \
	const struct model model_##id = {                                                          \
		.name = #id,                                                                       \
		.title = (shown),                                                                  \
		.pfm = (names_pfm),                                                                \
		.policy = POLICY_FIRST_FIT,                                                        \
		.general = 0x3f,                                                                   \
		.general_ht_off = 0x3f,                                                            \
		.fixed = 1ull << COUNTER_FIXED,                                                    \
		.rules = core_rules,                                                               \
		.names = &model_names_armv8,                                                       \
		.general_prefix = "CNT",                                                           \
		.fixed_prefix = "CYC",                                                             \
		.sysfs = "armv8_pmuv3_0",                                                          \
		.source = "kernel: drivers/perf/arm_pmuv3.c, armv8pmu_get_event_idx(); " from,     \
		.aliases = (other_names),                                                          \
		.announced = { common, common_ext },                                               \
	}

#define ARM_CORE(id, shown, names_pfm, other_names, common)                                        \
	ARM_CORE_LIKE(id, shown, names_pfm, other_names, common, 0, model_rules_armv8,             \
		      "the core's technical reference manual, PMCR_EL0.N")

/*
 * Last, the common events of a core without a table of names: of Cortex-A53, PMCEID0_EL0 of its
 * manual (with an L2 cache), without CHAIN, which the kernel does not show; of the others, kernel:
 * tools/perf/pmu-events/arch/arm64/arm/cortex-a55, -a73, -a75, …/ampere/ampereone, as of 7.2.
 */
ARM_CORE(neoverse_n1, "Neoverse N1 (Graviton2, Altra)", n1_pfm,
	 "n1 graviton2 altra ampere-altra altra-max arm-n1", 0);
ARM_CORE(neoverse_v1, "Neoverse V1 (Graviton3)", v1_pfm, "v1 graviton3 arm-v1", 0);
ARM_CORE(neoverse_n2, "Neoverse N2 (Cobalt 100)", n2_pfm, "n2 cobalt cobalt100 cobalt-100 arm-n2",
	 0);
ARM_CORE(neoverse_v2, "Neoverse V2 (Graviton4, Grace)", v2_pfm,
	 "v2 graviton4 grace axion nvidia-grace arm-v2", 0);
ARM_CORE(cortex_a53, "Cortex-A53", a53_pfm, "a53", 0x27ffbfff);
ARM_CORE(cortex_a55, "Cortex-A55", common_pfm, "a55", 0x1f0ae7f3fffffff);
ARM_CORE(cortex_a57, "Cortex-A57", a57_pfm, "a57", 0);
ARM_CORE(cortex_a72, "Cortex-A72 (Graviton)", a57_pfm, "a72 graviton graviton1", 0);
ARM_CORE(cortex_a73, "Cortex-A73", common_pfm, "a73", 0x3bff7f3f);
ARM_CORE(cortex_a75, "Cortex-A75", common_pfm, "a75", 0x1f1ae7bbbff7f3f);
ARM_CORE(cortex_a76, "Cortex-A76", a76_pfm, "a76", 0);
ARM_CORE(cortex_a77, "Cortex-A77", a76_pfm, "a77", 0);
ARM_CORE(cortex_a78, "Cortex-A78", a78_pfm, "a78 a78ae a78c", 0);
ARM_CORE(cortex_x1, "Cortex-X1", a78_pfm, "x1 x1c", 0);
/* Its manual is not public; Arm's base system architecture demands six at least. */
ARM_CORE(ampereone, "AmpereOne (six counters assumed)", common_pfm, "ampere-one ampere1 ampere1a",
	 0xfe31e07e3fdf7fff);

/*
 * Two threads a core: its cycle counter counts those of both, and from 6.19 on the kernel does not
 * use it (kernel: armv8pmu_can_use_pmccntr(), c3d78c34ad00); in 7.3 not without the second thread
 * either. Its manual is not public. The common events: kernel:
 * tools/perf/pmu-events/arch/arm64/nvidia/t410, 86ff690f45cc.
 */
const struct model_rule model_rules_olympus[] = {
	RULE(0x11, BITS_UMASK, COUNTER_BIT(COUNTER_FIXED), RULE_GENERAL_TOO, 0, KERNEL_RC(6, 19, 1),
	     "CPU_CYCLES"),
	RULE(0x1e, BITS_UMASK, 0, 0, KERNEL_RC(6, 3, 1), 0, "CHAIN"),
	RULES_END,
};
ARM_CORE_LIKE(olympus, "NVIDIA Olympus (Vera; six counters assumed)", common_pfm,
	      "nvidia-olympus vera nvidia-vera t410", 0xfef2ae7e3fff6f3f, 0x70f0f1a7f,
	      model_rules_olympus, "tools/perf/pmu-events/arch/arm64/nvidia/t410");

/* kernel: drivers/perf/apple_m1_cpu_pmu.c, m1_pmu_event_affinity */
#define M1(code, on, text) RULE(code, BITS_EVENT, on, 0, 0, 0, text)
#define M1_ANY 0x3fcull
#define M1_5_6_7 0xe0
#define M1_2_4_6 0x54
#define M1_RANGE(first, last, on, text) EVENTS(first, last, on, text)

/* Before 6.12 the kernel took these for events of three counters (3cce331ee2a4). */
#define M1_BEFORE_6_12(code, on, text) RULE(code, BITS_EVENT, on, 0, 0, KERNEL_RC(6, 12, 1), text)

static const struct model_rule m1_rules[] = {
	M1_BEFORE_6_12(0x96, M1_5_6_7, "INST_INT_ST"),
	M1_BEFORE_6_12(0x9b, M1_5_6_7, "INST_LDST"),
	M1(0x01, 0x80, "RETIRE_UOP"),
	M1(0x02, M1_ANY | 0x1, "CORE_ACTIVE_CYCLE"),
	M1(0x8c, 0x82, "INST_ALL"),
	M1_RANGE(0x8d, 0x90, M1_5_6_7, "INST_BRANCH*"),
	M1_RANGE(0x93, 0x95, M1_5_6_7, "INST_BRANCH_INDIR, INST_BRANCH_COND, INST_INT_LD"),
	M1_RANGE(0x96, 0x97, 0x80, "INST_INT_ST, INST_INT_ALU"),
	M1_RANGE(0x98, 0x99, M1_5_6_7, "INST_SIMD_LD, INST_SIMD_ST"),
	M1_RANGE(0x9a, 0x9b, 0x80, "INST_SIMD_ALU, INST_LDST"),
	M1(0x9c, M1_5_6_7, "INST_BARRIER"),
	M1(0x9f, 0x80, "0x9f"),
	M1_RANGE(0xbf, 0xc1, M1_5_6_7, "L1D_CACHE_MISS_*_NONSPEC, L1D_TLB_MISS_NONSPEC"),
	M1_RANGE(0xc4, 0xc6, M1_5_6_7, "ST_MEMORY_ORDER_VIOLATION_NONSPEC, BRANCH_*_NONSPEC"),
	M1(0xc8, M1_5_6_7, "BRANCH_RET_INDIR_MISPRED_NONSPEC"),
	M1_RANGE(0xca, 0xcb, M1_5_6_7, "BRANCH_CALL_INDIR_MISPRED_NONSPEC, BRANCH_MISPRED_*"),
	M1_RANGE(0xf5, 0xf7, M1_2_4_6, "0xf5 to 0xf7"),
	M1(0xf8, 0xfc, "0xf8"),
	M1(0xfd, M1_2_4_6, "0xfd"),
	M1_RANGE(0x00, 0xff, M1_ANY, "all other events"),
	RULES_END,
};

/* kernel: m1_pmu_perf_map, the branches in 6.14 (4575353d82e2); there are no cache events. */
static const struct model_names m1_names_before = {
	.hw = { 0x02, 0x8c, 0, 0, 0, 0, 0, 0, 0, 0 },
};
static const struct model_names m1_names = {
	.hw = { 0x02, 0x8c, 0, 0, 0x8d, 0xcb, 0, 0, 0, 0 },
	.before = &m1_names_before,
	.since = KERNEL_RC(6, 14, 1),
};

#define APPLE(id, shown, pmu, other_names)                                                         \
	const struct model model_##id = {                                                          \
		.name = #id,                                                                       \
		.title = (shown),                                                                  \
		.pfm = apple_pfm,                                                                  \
		.policy = POLICY_FIRST_FIT,                                                        \
		.general = 0x3ff,                                                                  \
		.general_ht_off = 0x3ff,                                                           \
		.rules = m1_rules,                                                                 \
		.names = &m1_names,                                                                \
		.general_prefix = "CNT",                                                           \
		.fixed_prefix = "CYC",                                                             \
		.sysfs = (pmu),                                                                    \
		.source = "kernel: drivers/perf/apple_m1_cpu_pmu.c, m1_pmu_event_affinity",        \
		.aliases = (other_names),                                                          \
	}

APPLE(m1, "Apple M1: P and E cores", "apple_firestorm_pmu",
      "apple-m1 m1-pro m1-max m1-ultra firestorm icestorm");
APPLE(m2, "Apple M2: P and E cores", "apple_avalanche_pmu",
      "apple-m2 m2-pro m2-max m2-ultra avalanche blizzard");
