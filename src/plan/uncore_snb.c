// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* Uncore PMUs of Intel's clients (kernel: arch/x86/events/intel/uncore_snb.c, as of 7.3). */
#include "plan/uncore_tables.h"

/* kernel: snb_uncore_arb_constraints */
static const struct model_rule arb_rules[] = {
	NO_CLOCK,
	ON(0x80, 0x80, 0x1),
	ON(0x83, 0x83, 0x1),
	RULES_END,
};

static const struct pmu_field snb_fields[] = {
	FIELDS_BASE,
	FIELD("inv", 0, 23, 23),
	FIELD("cmask", 0, 28, 24),
	FIELDS_END,
};

static const struct pmu_field adl_fields[] = {
	FIELDS_BASE,
	FIELD("inv", 0, 23, 23),
	FIELD("threshold", 0, 29, 24),
	FIELDS_END,
};

/* kernel: adl_uncore_imc_formats_attr */
static const struct pmu_field imc_fields[] = {
	FIELD("event", 0, 7, 0),
	FIELD("chmask", 0, 11, 8),
	FIELD("edge", 0, 18, 18),
	FIELDS_END,
};

/* kernel: nhm_uncore_formats_attr, lnl_uncore_formats_attr, generic_uncore_formats_attr */
#define FIELDS_LONG(name, limit)                                                                   \
	static const struct pmu_field name[] = { FIELDS_BASE, FIELD("inv", 0, 23, 23),             \
						 FIELD(limit, 0, 31, 24), FIELDS_END }
FIELDS_LONG(nhm_fields, "cmask");
FIELDS_LONG(lnl_fields, "threshold");
FIELDS_LONG(generic_fields, "thresh");

/* kernel: icl_uncore_clock_formats_attr */
static const struct pmu_field clock_fields[] = { FIELD("event", 0, 7, 0), FIELDS_END };

static const struct uncore_rules nhm = { .fields = nhm_fields };
static const struct uncore_rules imc = { .fields = imc_fields };
static const struct uncore_rules lnl = { .fields = lnl_fields };
static const struct uncore_rules generic = { .fields = generic_fields };
static const struct uncore_rules clock_only = { .fields = clock_fields };
static const struct uncore_rules snb = { .fields = snb_fields };
static const struct uncore_rules adl = { .fields = adl_fields };

#define PLAIN_BOX(id, shown, pmu, cnt, rest)                                                       \
	BOX(id, shown, pmu, cnt, false, model_rules_box, rest, NULL)
/* A clock, and counters that take any event but are not meant to be used. */
#define CLOCK_BOX(id, shown, pmu, cnt)                                                             \
	BOX(id, shown, pmu, cnt, true, model_rules_box_clock, &clock_only, NULL)

BOX(nhm_uncore, "Nehalem and Westmere, all of it", "uncore", 8, true, model_rules_box_clock, &nhm,
    "nhm_unc");
BOX(snb_cbox, "Sandy Bridge to Broadwell, cache box", "uncore_cbox", 2, true, model_rules_box_clock,
    &snb, "snb_unc_cbo0");
BOX(snb_arb, "Sandy Bridge to Skylake, arbiter", "uncore_arb", 2, false, arb_rules, &snb, NULL);
BOX(skl_cbox, "Skylake to 10th generation, cache box", "uncore_cbox", 4, true,
    model_rules_box_clock, &snb, NULL);
BOX(icl_cbox, "Ice Lake to 11th generation, cache box", "uncore_cbox", 2, false, model_rules_box,
    &snb, NULL);
PLAIN_BOX(icl_arb, "Ice Lake, arbiter (11th generation: snb_arb)", "uncore_arb", 1, &snb);
CLOCK_BOX(icl_clock, "Ice Lake to 11th generation, clock", "uncore_clock", 1);
BOX(adl_cbox, "Alder and Raptor Lake, cache box", "uncore_cbox", 2, false, model_rules_box, &adl,
    NULL);
BOX(adl_arb, "Alder and Raptor Lake, arbiter", "uncore_arb", 2, false, arb_rules, &snb, NULL);
PLAIN_BOX(adl_imc, "Alder to Arrow Lake, memory controller", "uncore_imc", 5, &imc);
CLOCK_BOX(adl_clock, "Alder and Raptor Lake, clock", "uncore_clock", 1);
PLAIN_BOX(mtl_cbox, "Meteor and Arrow Lake, cache box", "uncore_cbox", 2, &adl);
PLAIN_BOX(mtl_arb, "Meteor and Arrow Lake, arbiter", "uncore_arb", 2, &adl);
PLAIN_BOX(mtl_hac_cbox, "Meteor and Arrow Lake, home agent's cache box", "uncore_hac_cbox", 2,
	  &adl);
PLAIN_BOX(mtl_hac_arb, "Meteor and Arrow Lake, home agent's arbiter", "uncore_hac_arb", 2, &adl);
CLOCK_BOX(mtl_cncu, "Meteor and Arrow Lake, clock of the CPU's die", "uncore_cncu", 1);
CLOCK_BOX(mtl_sncu, "Meteor and Arrow Lake, clock of the SoC's die", "uncore_sncu", 1);
PLAIN_BOX(lnl_cbox, "Lunar Lake, cache box", "uncore_cbox", 2, &adl);
PLAIN_BOX(lnl_arb, "Lunar Lake, arbiter", "uncore_arb", 2, &adl);
PLAIN_BOX(lnl_hbo, "Lunar Lake, home agent's box", "uncore_hbo", 4, &lnl);
PLAIN_BOX(lnl_sncu, "Lunar Lake, SoC", "uncore_sncu", 2, &lnl);
PLAIN_BOX(ptl_cbox, "Panther Lake, cache box", "uncore_cbox", 2, &adl);
PLAIN_BOX(ptl_ia_core_bridge, "Panther Lake, bridge of the cores", "uncore_ia_core_bridge", 2,
	  &adl);
PLAIN_BOX(ptl_santa, "Panther Lake, arbiter", "uncore_santa", 2, &adl);
CLOCK_BOX(ptl_cncu, "Panther Lake, clock of the CPU's die", "uncore_cncu", 2);
/* The CPU says how many counters it has: here are those of Intel's list of events. */
PLAIN_BOX(ptl_imc, "Panther Lake, memory controller", "uncore_imc", 5, &generic);
/* No event of theirs is listed: those of Lunar Lake are assumed. */
PLAIN_BOX(ptl_hbo, "Panther Lake, home agent's box (four counters assumed)", "uncore_hbo", 4,
	  &generic);
PLAIN_BOX(ptl_sncu, "Panther Lake, SoC (two counters assumed)", "uncore_sncu", 2, &generic);
PLAIN_BOX(nvl_cbox, "Nova Lake, cache box", "uncore_cbox", 2, &adl);
PLAIN_BOX(nvl_santa, "Nova Lake, arbiter", "uncore_santa", 2, &adl);
CLOCK_BOX(nvl_cncu, "Nova Lake, clock of the CPU's die", "uncore_cncu", 1);
