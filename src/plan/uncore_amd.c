// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * AMD's northbridge and L2 cache before Zen, L3 cache, data fabric and memory controllers since
 * (kernel: arch/x86/events/amd/uncore.c). An event takes the first free counter; the cores that
 * share the unit share its counters.
 */
#include "plan/uncore_tables.h"

static const struct model_rule any_rules[] = { RULES_END };

static const struct pmu_field old_fields[] = {
	FIELD_BITS("event", 0, 0xf000000ffull),
	FIELD("umask", 0, 15, 8),
	FIELDS_END,
};

static const struct pmu_field l3_17h_fields[] = {
	FIELD("event", 0, 7, 0),
	FIELD("umask", 0, 15, 8),
	FIELD("slicemask", 0, 51, 48),
	FIELD("threadmask", 0, 63, 56),
	FIELDS_END,
};

static const struct pmu_field l3_19h_fields[] = {
	FIELD("event", 0, 7, 0),        FIELD("umask", 0, 15, 8),
	FIELD("coreid", 0, 44, 42),     FIELD("enallslices", 0, 46, 46),
	FIELD("enallcores", 0, 47, 47), FIELD("sliceid", 0, 50, 48),
	FIELD("threadmask", 0, 57, 56), FIELDS_END,
};

static const struct pmu_field df_fields[] = {
	FIELD_BITS("event", 0, 0x1800000f000000ffull),
	FIELD("umask", 0, 15, 8),
	FIELDS_END,
};

/* PerfMonV2 */
static const struct pmu_field df_v2_fields[] = {
	FIELD_BITS("event", 0, 0x3f000000ffull),
	FIELD_BITS("umask", 0, 0xf00ff00ull),
	FIELDS_END,
};

static const struct pmu_field umc_fields[] = {
	FIELD("event", 0, 7, 0),
	FIELD("rdwrmask", 0, 9, 8),
	FIELDS_END,
};

static const struct uncore_rules old = { .fields = old_fields };
static const struct uncore_rules l3_17h = { .fields = l3_17h_fields };
static const struct uncore_rules l3_19h = { .fields = l3_19h_fields };
static const struct uncore_rules df = { .fields = df_fields };
static const struct uncore_rules df_v2 = { .fields = df_v2_fields };
static const struct uncore_rules umc = { .fields = umc_fields };

#define AMD_UNCORE(id, shown, pmu, cnt, rest, libpfm)                                              \
	const struct model model_##id = {                                                          \
		UNCORE_MEMBERS(id, shown, pmu, cnt, rest, libpfm),                                 \
		.policy = POLICY_FIRST_FIT,                                                        \
		.rules = any_rules,                                                                \
		.fixed_prefix = "FIX",                                                             \
		.source = "kernel: arch/x86/events/amd/uncore.c",                                  \
	}

AMD_UNCORE(fam15h_nb, "AMD family 15h, northbridge", "amd_nb", 4, &old, NULL);
AMD_UNCORE(fam15h_l2, "AMD family 15h, L2 cache", "amd_l2", 4, &old, NULL);
AMD_UNCORE(fam16h_nb, "AMD family 16h, northbridge", "amd_nb", 4, &old, NULL);
AMD_UNCORE(fam16h_l2, "AMD family 16h, L2 cache", "amd_l2", 4, &old, NULL);
AMD_UNCORE(zen1_l3, "AMD Zen, Zen+, L3 cache", "amd_l3", 6, &l3_17h, NULL);
AMD_UNCORE(zen1_df, "AMD Zen, Zen+, data fabric", "amd_df", 4, &df, NULL);
AMD_UNCORE(zen2_l3, "AMD Zen 2, L3 cache", "amd_l3", 6, &l3_17h, NULL);
AMD_UNCORE(zen2_df, "AMD Zen 2, data fabric", "amd_df", 4, &df, NULL);
AMD_UNCORE(zen3_l3, "AMD Zen 3, L3 cache", "amd_l3", 6, &l3_19h, "amd64_fam19h_zen3_l3");
AMD_UNCORE(zen3_df, "AMD Zen 3, data fabric", "amd_df", 4, &df, NULL);
AMD_UNCORE(zen4_l3, "AMD Zen 4, L3 cache", "amd_l3", 6, &l3_19h, NULL);
/* The kernel asks CPUID leaf 0x80000022: 16, and 4 on some small ones. */
AMD_UNCORE(zen4_df, "AMD Zen 4, data fabric (16 counters assumed)", "amd_df", 16, &df_v2, NULL);
AMD_UNCORE(zen4_umc, "AMD Zen 4, memory controller", "amd_umc", 4, &umc, NULL);
AMD_UNCORE(zen5_l3, "AMD Zen 5, L3 cache", "amd_l3", 6, &l3_19h, NULL);
AMD_UNCORE(zen5_df, "AMD Zen 5, data fabric (16 counters assumed)", "amd_df", 16, &df_v2, NULL);
AMD_UNCORE(zen5_umc, "AMD Zen 5, memory controller", "amd_umc", 4, &umc, NULL);
