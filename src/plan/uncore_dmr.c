// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * Uncore PMUs of Diamond Rapids (kernel: arch/x86/events/intel/uncore_snbep.c, as of 7.3). The CPU
 * has tables of its boxes, and no list of its events is public: four counters are assumed, and
 * where constraints name eight, those.
 */
#include "plan/uncore_tables.h"

/* kernel: dmr_uncore_cxlcm_constraints */
static const struct model_rule cxlcm_rules[] = {
	NO_CLOCK,
	ON(0x01, 0x24, 0xf),
	ON(0x41, 0x41, 0xf0),
	ON(0x50, 0x5e, 0xf0),
	ON(0x60, 0x61, 0xf0),
	RULES_END,
};

/* kernel: dmr_uncore_cbo_constraints */
static const struct model_rule cbo_rules[] = {
	NO_CLOCK,
	ON(0x11, 0x11, 0x1),
	ON(0x19, 0x1a, 0x1),
	ON(0x1f, 0x1f, 0x1),
	ON(0x21, 0x21, 0x1),
	ON(0x25, 0x25, 0x1),
	ON(0x36, 0x36, 0x1),
	RULES_END,
};

/* kernel: dmr_uncore_sbo_constraints */
static const struct model_rule sbo_rules[] = {
	NO_CLOCK,
	ON(0x1f, 0x1f, 0x1),
	ON(0x25, 0x25, 0x1),
	RULES_END,
};

/* kernel: generic_uncore_formats_attr */
static const struct pmu_field plain_fields[] = {
	FIELDS_BASE,
	FIELD("inv", 0, 23, 23),
	FIELD("thresh", 0, 31, 24),
	FIELDS_END,
};

static const struct pmu_field imc_fields[] = {
	FIELDS_BASE,
	FIELD("inv", 0, 23, 23),
	FIELD("thresh", 0, 32, 23),
	FIELDS_END,
};

/* kernel: dmr_sca_uncore_formats_attr: a longer umask */
static const struct pmu_field sca_fields[] = {
	FIELD("event", 0, 7, 0),    FIELD_BITS("umask", 0, 0xffffffffull << 32 | 0xff00),
	FIELD("edge", 0, 18, 18),   FIELD("inv", 0, 23, 23),
	FIELD("thresh", 0, 31, 24), FIELDS_END,
};

static const struct pmu_field cxlcm_fields[] = {
	FIELDS_BASE,
	FIELD("inv", 0, 21, 21),
	FIELD("thresh", 0, 31, 23),
	FIELD("port_en", 0, 35, 32),
	FIELDS_END,
};

static const struct pmu_field pcie_fields[] = {
	FIELDS_BASE,
	FIELD("inv", 0, 23, 23),
	FIELD("thresh", 0, 31, 24),
	FIELD("thresh_ext", 0, 35, 32),
	FIELD("rs3_sel", 0, 36, 36),
	FIELD("rx_sel", 0, 37, 37),
	FIELD("tx_sel", 0, 38, 38),
	FIELD("iep_sel", 0, 39, 39),
	FIELD("vc_sel", 0, 47, 40),
	FIELD("port_sel", 0, 55, 48),
	FIELDS_END,
};

static const struct uncore_rules plain = { .fields = plain_fields };
static const struct uncore_rules imc = { .fields = imc_fields };
static const struct uncore_rules sca = { .fields = sca_fields };
static const struct uncore_rules cxlcm = { .fields = cxlcm_fields };
static const struct uncore_rules pcie = { .fields = pcie_fields };

#define DMR(box, shown, rest)                                                                      \
	BOX(dmr_##box, "Diamond Rapids, " shown, "uncore_" #box, 4, false, model_rules_box, rest,  \
	    NULL)

BOX(dmr_imc, "Diamond Rapids, memory controller", "uncore_imc", 4, true, model_rules_box_clock,
    &imc, NULL);
BOX(dmr_cxlcm, "Diamond Rapids, CXL", "uncore_cxlcm", 8, false, cxlcm_rules, &cxlcm, NULL);
BOX(dmr_cbo, "Diamond Rapids, cache box", "uncore_cbo", 4, false, cbo_rules, &sca, NULL);
BOX(dmr_sbo, "Diamond Rapids, sbo", "uncore_sbo", 4, false, sbo_rules, &sca, NULL);
DMR(pcu, "power control", &plain);
DMR(ubox, "ubox", &plain);
DMR(sca, "sca", &sca);
DMR(hamvf, "hamvf", &sca);
DMR(santa, "arbiter", &plain);
DMR(cncu, "cncu", &plain);
DMR(sncu, "sncu", &plain);
DMR(ula, "ula", &sca);
DMR(dda, "dda", &sca);
DMR(ubr, "ubr", &sca);
DMR(pcie4, "PCIe 4", &pcie);
DMR(pcie6, "PCIe 6", &pcie);
DMR(crs, "crs", &plain);
DMR(cpc, "cpc", &sca);
DMR(itc, "inbound traffic", &sca);
DMR(otc, "outbound traffic", &sca);
DMR(cms, "cms", &plain);
