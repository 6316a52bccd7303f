// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* AMD from family 10h to Zen 5. */
#include "plan/model_tables.h"

#define AMD(code, on, text) RULE(code, BITS_AMD, on, 0, 0, 0, text)
/* One event with this umask, or under a mask of it; its code has 12 bits. */
#define AMD_UMASK(code, umask, umask_bits, on, text)                                               \
	RULE((code) | (umask) << 8, BITS_AMD | (umask_bits) << 8, on, 0, 0, 0, text)
/* An event with no umask bit or one: the nine values. */
#define AMD_ONE_BIT(code, on, text)                                                                \
	AMD_UMASK(code, 0ull, 0xffull, on, text), AMD_UMASK(code, 0x01ull, 0xffull, on, text),     \
		AMD_UMASK(code, 0x02ull, 0xffull, on, text),                                       \
		AMD_UMASK(code, 0x04ull, 0xffull, on, text),                                       \
		AMD_UMASK(code, 0x08ull, 0xffull, on, text),                                       \
		AMD_UMASK(code, 0x10ull, 0xffull, on, text),                                       \
		AMD_UMASK(code, 0x20ull, 0xffull, on, text),                                       \
		AMD_UMASK(code, 0x40ull, 0xffull, on, text),                                       \
		AMD_UMASK(code, 0x80ull, 0xffull, on, text)
/* The upper nibble of an event's code, as the kernel's AMD_EVENT_TYPE_MASK; any upper bits. */
#define AMD_TYPE(first, last, on, text) EVENTS(first, last, on, text)

/* kernel: amd_is_nb_event(): the cores of a node share the counters of these. */
static const struct model_rule node_rules[] = {
	RULE(0xe0, 0xe0, 0xf, RULE_NORTHBRIDGE, 0, 0, "northbridge events"),
	RULES_END,
};

/* kernel: amd_get_event_constraints_f15h(), from 2.6.39 on */
static const struct model_rule fam15h_rules[] = {
	AMD_UMASK(0x000ull, 0ull, 0xf0ull, 0x38, "FPU pipe assignment, one kind"),
	AMD_UMASK(0x000ull, 0ull, 0x0full, 0x38, "FPU pipe assignment, one kind"),
	AMD(0x000, 0x08, "FPU pipe assignment, both kinds"),
	AMD_ONE_BIT(0x004ull, 0x38, "move elimination, one kind"),
	AMD(0x004, 0x08, "move elimination, several kinds"),
	AMD(0x003, 0x08, "retired SSE/AVX operations"),
	AMD(0x00b, 0x08, "retired floating point operations"),
	AMD(0x00d, 0x08, "retired serializing operations"),
	AMD_TYPE(0x00, 0x1f, 0x38, "floating point"),
	AMD(0x023, 0x07, "load queue, store queue full"),
	AMD(0x043, 0x07, "data cache fills"),
	AMD(0x045, 0x07, "unified TLB hits"),
	AMD(0x046, 0x07, "unified TLB misses"),
	AMD(0x054, 0x07, "data cache, of the shared unit"),
	AMD(0x055, 0x07, "data cache, of the shared unit"),
	AMD(0x02d, 0x08, "timestamp counter reads"),
	RULE(0x02e, BITS_AMD, 0x09, RULE_OVERLAP, 0, 0, "load and store, on counters 0 and 3"),
	AMD_ONE_BIT(0x031ull, 0x07, "one kind at a time"),
	AMD(0x031, 0, "one kind at a time"),
	AMD(0x1000000c0, 0x38, "retired x87 operations"),
	AMD_TYPE(0x20, 0x5f, 0x3f, "load and store, data cache"),
	AMD_TYPE(0xc0, 0xcf, 0x3f, "execution"),
	AMD(0x08f, 0x01, "instruction cache"),
	AMD(0x100000087, 0x01, "instruction fetch stalls"),
	AMD(0x100000088, 0x01, "return stack"),
	AMD(0x0db, 0x3f, "floating point exceptions"),
	AMD(0x0dc, 0x3f, "breakpoints 0"),
	AMD(0x0dd, 0x3f, "breakpoints 1"),
	AMD(0x0de, 0x3f, "breakpoints 2"),
	AMD(0x0df, 0x3f, "breakpoints 3"),
	AMD(0x1000000d6, 0x3f, "execution"),
	AMD(0x1000000d8, 0x3f, "execution"),
	AMD_TYPE(0x60, 0x9f, 0x07, "cache unit, instruction cache, decoder"),
	AMD_TYPE(0xd0, 0xdf, 0x07, "decoder"),
	AMD_TYPE(0xa0, 0xbf, 0, "no event"),
	AMD_TYPE(0xe0, 0xff, 0, "northbridge events: another PMU counts them"),
	RULES_END,
};

/* kernel: amd_get_event_constraints_f17h(); Merge events, from 5.6 on. */
static const struct model_rule zen_rules[] = {
	RULE(0x003, BITS_AMD, 0x15, RULE_PAIR, KERNEL_RC(5, 6, 1), 0, "retired SSE/AVX FLOPs"),
	RULES_END,
};

/*
 * kernel: amd_hw_cache_event_ids, amd_hw_cache_event_ids_f17h; caches L1D L1I LL DTLB ITLB BPU
 * NODE, each read write prefetch.
 */
static const struct model_names k10_names = {
	.hw = { 0x0076, 0x00c0, 0x077d, 0x077e, 0x00c2, 0x00c3, 0, 0x00d0, 0x00d1, 0 },
	.cache = { { { 0x0040, 0x0141 }, { 0, 0 }, { 0x0267, 0x0167 } },
		   { { 0x0080, 0x0081 }, { 0, 0 }, { 0x014b, 0 } },
		   { { 0x037d, 0x037e }, { 0x017f, 0 }, { 0, 0 } },
		   { { 0x0040, 0x0746 }, { 0, 0 }, { 0, 0 } },
		   { { 0x0080, 0x0385 }, { 0, 0 }, { 0, 0 } },
		   { { 0x00c2, 0x00c3 }, { 0, 0 }, { 0, 0 } },
		   { { 0xb8e9, 0x98e9 }, { 0, 0 }, { 0, 0 } } },
};

#define CACHE_ZEN                                                                                  \
	{                                                                                          \
		{ { 0x0040, 0xc860 }, { 0, 0 }, { 0xff5a, 0 } },                                   \
			{ { 0x0080, 0x0081 }, { 0, 0 }, { 0, 0 } },                                \
			{ { 0, 0 }, { 0, 0 }, { 0, 0 } },                                          \
			{ { 0xff45, 0xf045 }, { 0, 0 }, { 0, 0 } },                                \
			{ { 0x0084, 0xff85 }, { 0, 0 }, { 0, 0 } },                                \
			{ { 0x00c2, 0x00c3 }, { 0, 0 }, { 0, 0 } },                                \
		{                                                                                  \
			{ 0, 0 }, { 0, 0 },                                                        \
			{                                                                          \
				0, 0                                                               \
			}                                                                          \
		}                                                                                  \
	}
/* kernel: amd_zen1_perfmon_event_map, amd_zen2_perfmon_event_map, amd_zen4_perfmon_event_map */
static const struct model_names zen1_names = {
	.hw = { 0x0076, 0x00c0, 0xff60, 0x0964, 0x00c2, 0x00c3, 0, 0x0287, 0x0187, 0 },
	.cache = CACHE_ZEN,
};
/* Before 6.9 all from Zen on had stalled cycles as Zen 1 has them, and no reference cycles. */
#define BEFORE_6_9 .before = &zen1_names, .since = KERNEL_RC(6, 9, 4)
static const struct model_names zen2_names = {
	.hw = { 0x0076, 0x00c0, 0xff60, 0x0964, 0x00c2, 0x00c3, 0, 0x00a9, 0, 0 },
	.cache = CACHE_ZEN,
	BEFORE_6_9,
};
static const struct model_names zen4_names = {
	.hw = { 0x0076, 0x00c0, 0xff60, 0x0964, 0x00c2, 0x00c3, 0, 0x00a9, 0, 0x100000120 },
	.cache = CACHE_ZEN,
	BEFORE_6_9,
};

static const char *const fam10h_pfm[] = { "amd64_fam10h_istanbul", "amd64_fam10h_shanghai",
					  "amd64_fam10h_barcelona", NULL };
static const char *const fam15h_pfm[] = { "amd64_fam15h_interlagos", NULL };
static const char *const fam16h_pfm[] = { "amd64_fam16h", NULL };
static const char *const zen1_pfm[] = { "amd64_fam17h_zen1", NULL };
static const char *const zen2_pfm[] = { "amd64_fam17h_zen2", NULL };
static const char *const zen3_pfm[] = { "amd64_fam19h_zen3", NULL };
static const char *const zen4_pfm[] = { "amd64_fam19h_zen4", NULL };

#define MODEL_AMD(mask)                                                                            \
	.policy = POLICY_WEIGHT, .general = (mask), .general_ht_off = (mask),                      \
	.general_prefix = "PMC", .fixed_prefix = "FIX", .has_watchdog = true,                      \
	.precise = &precise_ibs
#define ZEN                                                                                        \
	MODEL_AMD(0x3f),                                                                           \
		.rules = zen_rules,                                                                \
		.source = "kernel: amd_get_event_constraints_f17h; AMD64 APM vol. 2, 13.2"

const struct model model_fam10h = {
	.name = "fam10h",
	.title = "AMD family 10h (Barcelona to Istanbul)",
	.pfm = fam10h_pfm,
	MODEL_AMD(0xf),
	.rules = node_rules,
	.names = &k10_names,
	.source = "kernel: amd_get_event_constraints; AMD BKDG of family 10h, 3.12",
	.aliases = "k10 barcelona shanghai istanbul magny-cours amdfam10h amdfam10",
};

const struct model model_fam15h = {
	.name = "fam15h",
	.title = "AMD family 15h (Bulldozer to Excavator)",
	.pfm = fam15h_pfm,
	MODEL_AMD(0x3f),
	.rules = fam15h_rules,
	.names = &k10_names,
	.source = "kernel: amd_get_event_constraints_f15h; AMD BKDG of family 15h, 2.7.1",
	.aliases = "bulldozer piledriver steamroller excavator interlagos amdfam15h "
		   "bdver1 bdver2 bdver3 bdver4",
};

const struct model model_fam16h = {
	.name = "fam16h",
	.title = "AMD family 16h (Jaguar, Puma)",
	.pfm = fam16h_pfm,
	MODEL_AMD(0xf),
	.rules = node_rules,
	.names = &k10_names,
	.source = "kernel: amd_get_event_constraints; AMD BKDG of family 16h, 2.6.1",
	.aliases = "jaguar puma amdfam16h btver2",
};

const struct model model_zen1 = {
	.name = "zen1",
	.title = "AMD Zen, Zen+ (family 17h)",
	.pfm = zen1_pfm,
	.names = &zen1_names,
	.aliases = "zen zen+ znver1 naples epyc-naples summit-ridge fam17h amdfam17h",
	ZEN,
};

const struct model model_zen2 = {
	.name = "zen2",
	.title = "AMD Zen 2 (family 17h)",
	.pfm = zen2_pfm,
	.names = &zen2_names,
	.aliases = "znver2 rome epyc-rome matisse renoir",
	ZEN,
};

const struct model model_zen3 = {
	.name = "zen3",
	.title = "AMD Zen 3 (family 19h)",
	.pfm = zen3_pfm,
	.names = &zen2_names,
	.aliases = "znver3 milan epyc-milan vermeer cezanne fam19h amdfam19h",
	ZEN,
};

const struct model model_zen4 = {
	.name = "zen4",
	.title = "AMD Zen 4 (family 19h)",
	.pfm = zen4_pfm,
	.names = &zen4_names,
	.aliases = "znver4 genoa epyc-genoa bergamo siena raphael phoenix",
	ZEN,
};

const struct model model_zen5 = {
	.name = "zen5",
	.title = "AMD Zen 5 (family 1ah)",
	.pfm = zen4_pfm,
	.names = &zen4_names,
	.names_of = "Zen 4",
	.aliases = "znver5 turin epyc-turin granite-ridge strix-point fam1ah amdfam1ah",
	ZEN,
};
