/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * A CPU's PMU as the kernel's event scheduler sees it: its counters, the counters on which each
 * event can be counted, and the kernel versions of these facts. The facts are tables, one file per
 * family: model_*.c.
 */
#ifndef BPFPERF_PLAN_MODEL_H
#define BPFPERF_PLAN_MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "event/pmu_model.h"

/*
 * A set of counters is a mask as the kernel's: general counters from bit 0, fixed ones from bit 32,
 * the pseudo counters of topdown metrics from bit 48.
 */
#define COUNTER_FIXED 32
#define COUNTER_METRIC 48
#define COUNTER_BIT(n) (1ull << (n))
#define COUNTERS_GENERAL 0xffffffffull

/* edge, pin control, any, inv, cmask, in_tx, in_tx_cp (kernel: X86_ALL_EVENT_FLAGS). */
#define CODE_MODIFIERS 0x3ffac0000ull

/* A kernel's version; an rc sorts before its release. */
#define KERNEL_RELEASE 0xff
#define KERNEL_RC(major, minor, rc) ((uint32_t)((major) << 16 | (minor) << 8 | (rc)))
#define KERNEL(major, minor) KERNEL_RC(major, minor, KERNEL_RELEASE)
#define KERNEL_ANY UINT32_MAX

enum rule_flag {
	RULE_GENERAL_TOO =
		1 << 0, /* an event of a fixed counter that general counters can count as well */
	RULE_CORRUPTING = 1 << 1, /* of the HT erratum of Sandy Bridge, Ivy Bridge, Haswell */
	RULE_OVERLAP = 1 << 2, /* the constraint overlaps another's and is not smaller (AMD) */
	RULE_BLACKLISTED = 1 << 3, /* the kernel refuses the event */
	RULE_METRIC = 1 << 4, /* opens only in a group that slots leads (Intel, topdown metrics) */
	/* the cores of a package share the counter: each event has one of its own (AMD) */
	RULE_NORTHBRIDGE = 1 << 8,
	RULE_PAIR = 1 << 9, /* takes the counter after its own as well (AMD, family 17h on) */
};

/*
 * Event codes lo … hi (a single one: lo == hi), compared under `mask`, can be counted on
 * `counters`.
 */
struct model_rule {
	uint64_t lo, hi; /* config & mask, inclusive */
	uint64_t mask;
	uint64_t counters;
	unsigned int flags; /* enum rule_flag */
	uint32_t since,
		until; /* kernels with the rule: since <= kernel < until; until 0: all later ones */
	const char *what; /* the events, or why */
};

/* Registers that events need beside a counter (kernel: enum extra_reg_type). */
enum model_reg {
	MODEL_REG_RSP_0, /* which off-core responses; either serves the events of both */
	MODEL_REG_RSP_1,
	MODEL_REG_LDLAT, /* the least latency of loads */
	MODEL_REG_FE, /* which front-end events */
	MODEL_REG_SNOOP_0, /* which answers to snoops */
	MODEL_REG_SNOOP_1,
	MODEL_REG_OMR_0, /* as RSP_0, four of them; any serves the events of all */
	MODEL_REG_OMR_1,
	MODEL_REG_OMR_2,
	MODEL_REG_OMR_3,
	MODEL_REG_CNT,
};

/* The event `code` (event and umask) needs `reg`, which holds the values in `valid`. */
struct model_extra {
	uint16_t code;
	uint8_t reg; /* enum model_reg */
	uint64_t valid;
	uint64_t valid_before; /* of kernels before `since`; 0: they need no register */
	uint32_t since; /* 0: all kernels have `valid` */
};

#define RULES_END                                                                                  \
	{                                                                                          \
		0, 0, 0, 0, 0, 0, 0, NULL                                                          \
	}

enum model_policy {
	/*
	 * x86: events by the weight of their constraint, each on the first free counter, fixed ones
	 * first; all events are placed anew whenever a group is added (kernel:
	 * perf_assign_events()).
	 */
	POLICY_WEIGHT,
	/* arm64: each new event goes on the first free counter; no event moves. */
	POLICY_FIRST_FIT,
	/* Any possible assignment (an augmenting path): the project's test PMU. */
	POLICY_MATCHING,
};

/* The codes of perf's generic names. */
struct model_names {
	/* By PERF_COUNT_HW_*: the code, 0: the PMU has no such event. */
	uint64_t hw[10];
	/* By cache, op, result of PERF_TYPE_HW_CACHE; 0: there is none. */
	uint32_t cache[7][3][2];
	/* only hw[] limits the events: any cache event is taken for one of general counters */
	bool any_cache;
	/* those of kernels before `since`; NULL: the same */
	const struct model_names *before;
	uint32_t since;
};

struct precise_rules;
struct uncore_rules;

/* The first of the second part of PMUv3's common events. */
#define PMCEID_EXT 0x4000ull

struct model {
	const char *name; /* as --pmu takes it */
	const char *title; /* for display */
	const char *const *pfm; /* libpfm4's names of the PMU, followed by fallbacks; NULL ends */
	enum model_policy policy;
	uint64_t general; /* counters of a thread while its sibling is online */
	uint64_t general_ht_off; /* counters without a sibling */
	uint64_t fixed;
	const struct model_rule *rules; /* the first one that matches applies */
	const struct model_names *names;
	const char *general_prefix; /* of general counters' names: "PMC" */
	const char *fixed_prefix; /* "FIX"; the name itself where there is only one */
	bool ht_erratum; /* BJ122, BV98, HSD29: counts leak between the threads of a core */
	bool tfa; /* the TSX force-abort microcode may need general counter 3 */
	bool has_extra_regs; /* OFFCORE_RSP, LDLAT, FRONTEND beside the counters */
	bool has_tsx; /* events can be restricted to transactions */
	bool has_watchdog; /* its kernel's NMI watchdog takes a counter by default */
	/* no family's: a raw event's code is the mask of its counters, config1 an enum rule_flag */
	bool own_masks;
	/*
	 * PMUv3: the common events 0x00-0x3f and 0x4000-0x403f that PMCEID announces, which are
	 * those in sysfs; the first 0: not known. Others read 0.
	 */
	uint64_t announced[2];
	bool shares_offcore; /* both threads of a core use the same off-core registers */
	bool one_offcore; /* there is only OFFCORE_RSP_0 */
	const char *source; /* of the facts above */
	const char *aliases; /* other names for --pmu, separated by spaces; NULL: none */
	const struct precise_rules *precise; /* plan/precise.h; NULL: :p changes nothing */
	const struct model_extra *extra; /* code 0 ends; NULL: no event needs a register */
	const char *sysfs; /* the PMU's name in sysfs: "cpu_core"; NULL: "cpu" */
	const struct pmu_word *words; /* the kernel's names of events; name NULL ends; or NULL */
	/* the CPU that lends its event names, if libpfm4 has none of this one; NULL: its own */
	const char *names_of;
	const struct uncore_rules *uncore; /* plan/uncore.h; NULL: the PMU of a core */
};

/*
 * The models by name: struct model model_NAME, "NAME" for --pmu. How to add one is in
 * docs/howto-add-pmu-model.md.
 */
/* clang-format off */
#define MODEL_LIST(X) \
	X(nhm) X(wsm) X(snb) X(snb_ep) X(ivb) X(ivb_ep) X(hsw) X(bdw) X(skl) X(skx) X(clx) \
	X(icl) X(icx) \
	X(spr) X(gnr) X(adl) X(adl_atom) X(mtl) X(mtl_atom) X(arl) X(arl_atom) X(lnl) X(lnl_atom) \
	X(ptl) X(ptl_atom) X(nvl) X(nvl_atom) X(dmr) \
	X(slm) X(knl) X(glm) X(glp) X(tnt) X(srf) X(cwf) \
	X(fam10h) X(fam15h) X(fam16h) X(zen1) X(zen2) X(zen3) X(zen4) X(zen5) \
	X(neoverse_n1) X(neoverse_v1) X(neoverse_n2) X(neoverse_v2) \
	X(cortex_a53) X(cortex_a55) X(cortex_a57) X(cortex_a72) X(cortex_a73) X(cortex_a75) \
	X(cortex_a76) X(cortex_a77) X(cortex_a78) X(cortex_x1) X(ampereone) X(olympus) \
	X(m1) X(m2)
/* clang-format on */
/* MODEL_LIST's models; NULL ends. */
extern const struct model *const models[];

/* By name or alias, in any case, with or without - and _; NULL where there is none. */
const struct model *model__find(const char *name);
/* false: the PMU announces its common events, and this one is none of them. */
bool model__announces(const struct model *model, uint64_t code);
/* The register that `code` needs on this PMU; NULL: none. */
const struct model_extra *model__extra(const struct model *model, uint64_t code, uint32_t kernel);
/* Does the register of `extra` hold the value on that kernel? */
bool model__takes(const struct model_extra *extra, uint64_t val, uint32_t kernel);
/*
 * A PMU of `general_cnt` (1–32) equal counters and one fixed counter for cycles, like PMUv3 of
 * arm64. Static storage, overwritten by the next call.
 */
const struct model *model__armv8(unsigned int general_cnt);
/*
 * A PMU of `general_cnt` (1–32) equal counters that uses any possible assignment; static storage.
 */
const struct model *model__matching(unsigned int general_cnt);
/*
 * An x86 PMU with a known number of general counters, and with or without Intel's three fixed ones;
 * static storage.
 */
const struct model *model__x86(unsigned int general_cnt, bool has_fixed);

/*
 * A PMU of `general_cnt` (1-31) general and `fixed_cnt` (0-15) fixed counters that x86's code
 * schedules; its events name their own counters (event/pmu_model.h). Static storage.
 */
const struct model *model__counters(unsigned int general_cnt, unsigned int fixed_cnt);

/*
 * The code of a perf event on this PMU, on kernel `kernel`: `type` and `config` as
 * perf_event_open() takes them. *config1 is changed only for cache events that need an extra
 * register. 0; -ENOENT: the PMU has no such event (the kernel refuses it).
 */
int model__code(const struct model *model, uint32_t kernel, uint32_t type, uint64_t config,
		uint64_t *code, uint64_t *config1);

/* The first rule of a table for `code` on kernel `kernel`; NULL: there is none. */
const struct model_rule *model__first_rule(const struct model_rule *rules, uint64_t code,
					   uint32_t kernel);
/* That of the model's table; NULL: any general counter can count it. */
const struct model_rule *model__rule(const struct model *model, uint64_t code, uint32_t kernel);

/*
 * Parses the version in "4.1", "4.1-rc3", "6.1.0-18-amd64": 0 and *kernel, or -EINVAL. After the
 * second number only an rc is significant.
 */
int kernel__parse(const char *text, uint32_t *kernel);

#endif
