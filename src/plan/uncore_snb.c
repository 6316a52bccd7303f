// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* Uncore PMUs of Intel's clients (kernel: arch/x86/events/intel/uncore_snb.c). */
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

static const struct uncore_rules snb = { .fields = snb_fields };
static const struct uncore_rules adl = { .fields = adl_fields };

BOX(snb_cbox, "Sandy Bridge to Broadwell, cache box", "uncore_cbox", 2, true, model_rules_box_clock,
    &snb, "snb_unc_cbo0");
BOX(snb_arb, "Sandy Bridge to Skylake, arbiter", "uncore_arb", 2, false, arb_rules, &snb, NULL);
BOX(skl_cbox, "Skylake to 10th generation, cache box", "uncore_cbox", 4, true,
    model_rules_box_clock, &snb, NULL);
BOX(icl_cbox, "Ice Lake to 11th generation, cache box", "uncore_cbox", 2, false, model_rules_box,
    &snb, NULL);
BOX(icl_arb, "Ice Lake to 11th generation, arbiter", "uncore_arb", 1, false, model_rules_box, &snb,
    NULL);
BOX(adl_cbox, "Alder and Raptor Lake, cache box", "uncore_cbox", 2, false, model_rules_box, &adl,
    NULL);
BOX(adl_arb, "Alder and Raptor Lake, arbiter", "uncore_arb", 2, false, arb_rules, &adl, NULL);
