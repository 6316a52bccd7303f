// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * Uncore PMUs of Intel's servers from Sandy Bridge to Broadwell (kernel:
 * arch/x86/events/intel/uncore_snbep.c). Events of a cache box share its filter register.
 */
#include "plan/uncore_tables.h"

/* kernel: snbep_uncore_cbox_constraints */
static const struct model_rule snb_cbox_rules[] = {
	NO_CLOCK,
	ON(0x01, 0x01, 0x1),
	ON(0x02, 0x02, 0x3),
	ON(0x04, 0x05, 0x3),
	ON(0x07, 0x07, 0x3),
	ON(0x09, 0x09, 0x3),
	ON(0x11, 0x11, 0x1),
	ON(0x12, 0x13, 0x3),
	ON(0x1b, 0x1e, 0xc),
	ON(0x1f, 0x1f, 0xe),
	ON(0x21, 0x21, 0x3),
	ON(0x23, 0x23, 0x3),
	ON(0x31, 0x35, 0x3),
	ON(0x36, 0x36, 0x1),
	ON(0x37, 0x39, 0x3),
	ON(0x3b, 0x3b, 0x1),
	RULES_END,
};

/* kernel: snbep_uncore_r2pcie_constraints */
static const struct model_rule snb_r2pcie_rules[] = {
	NO_CLOCK,
	ON(0x10, 0x11, 0x3),
	ON(0x12, 0x12, 0x1),
	ON(0x23, 0x23, 0x3),
	ON(0x24, 0x26, 0x3),
	ON(0x32, 0x34, 0x3),
	RULES_END,
};

/* kernel: snbep_uncore_r3qpi_constraints */
static const struct model_rule snb_r3qpi_rules[] = {
	NO_CLOCK,
	ON(0x10, 0x12, 0x3),
	ON(0x13, 0x13, 0x1),
	ON(0x20, 0x26, 0x3),
	ON(0x28, 0x34, 0x3),
	ON(0x36, 0x39, 0x3),
	RULES_END,
};

/* kernel: hswep_uncore_cbox_constraints */
static const struct model_rule hsw_cbox_rules[] = {
	NO_CLOCK,
	ON(0x01, 0x01, 0x1),
	ON(0x09, 0x09, 0x1),
	ON(0x11, 0x11, 0x1),
	ON(0x36, 0x36, 0x1),
	ON(0x38, 0x38, 0x3),
	ON(0x3b, 0x3b, 0x1),
	ON(0x3e, 0x3e, 0x1),
	RULES_END,
};

/* kernel: hswep_uncore_r2pcie_constraints */
static const struct model_rule hsw_r2pcie_rules[] = {
	NO_CLOCK,
	ON(0x10, 0x11, 0x3),
	ON(0x13, 0x13, 0x1),
	ON(0x23, 0x25, 0x1),
	ON(0x26, 0x26, 0x3),
	ON(0x27, 0x27, 0x1),
	ON(0x28, 0x29, 0x3),
	ON(0x2a, 0x2a, 0x1),
	ON(0x2b, 0x2d, 0x3),
	ON(0x32, 0x35, 0x3),
	RULES_END,
};

/* kernel: hswep_uncore_r3qpi_constraints */
static const struct model_rule hsw_r3qpi_rules[] = {
	NO_CLOCK,
	ON(0x01, 0x01, 0x3),
	ON(0x07, 0x0a, 0x7),
	ON(0x0e, 0x0e, 0x7),
	ON(0x10, 0x12, 0x3),
	ON(0x13, 0x13, 0x1),
	ON(0x14, 0x15, 0x3),
	ON(0x1f, 0x23, 0x3),
	ON(0x25, 0x26, 0x3),
	ON(0x28, 0x29, 0x3),
	ON(0x2c, 0x2f, 0x3),
	ON(0x31, 0x34, 0x3),
	ON(0x36, 0x39, 0x3),
	RULES_END,
};

/* kernel: bdx_uncore_cbox_constraints */
static const struct model_rule bdw_cbox_rules[] = {
	NO_CLOCK,
	ON(0x09, 0x09, 0x3),
	ON(0x11, 0x11, 0x1),
	ON(0x36, 0x36, 0x1),
	ON(0x3e, 0x3e, 0x1),
	RULES_END,
};

/* kernel: bdx_uncore_r2pcie_constraints */
static const struct model_rule bdw_r2pcie_rules[] = {
	NO_CLOCK,
	ON(0x10, 0x10, 0x3),
	ON(0x11, 0x11, 0x3),
	ON(0x13, 0x13, 0x1),
	ON(0x23, 0x23, 0x1),
	ON(0x25, 0x25, 0x1),
	ON(0x26, 0x26, 0x3),
	ON(0x28, 0x28, 0x3),
	ON(0x2c, 0x2d, 0x3),
	RULES_END,
};

/* kernel: bdx_uncore_r3qpi_constraints */
static const struct model_rule bdw_r3qpi_rules[] = {
	NO_CLOCK,
	ON(0x01, 0x01, 0x7),
	ON(0x07, 0x0a, 0x7),
	ON(0x0e, 0x0e, 0x7),
	ON(0x10, 0x11, 0x3),
	ON(0x13, 0x13, 0x1),
	ON(0x14, 0x15, 0x3),
	ON(0x1f, 0x23, 0x3),
	ON(0x25, 0x25, 0x3),
	ON(0x26, 0x26, 0x3),
	ON(0x28, 0x29, 0x3),
	ON(0x2c, 0x2f, 0x3),
	ON(0x33, 0x34, 0x3),
	ON(0x36, 0x39, 0x3),
	RULES_END,
};

/* kernel: bdx_uncore_pcu_constraints */
static const struct model_rule bdw_pcu_rules[] = {
	NO_CLOCK,
	RULE(0x80, 0x80, 0xe, 0, 0, 0, "occupancy"),
	RULES_END,
};

/* kernel: snbep_uncore_cbox_extra_regs */
static const struct uncore_filter snb_filters[] = {
	{ 1ull << 19, 1ull << 19, 0x1 },
	{ 0x334, 0xffff, 0x4 },
	{ 0x4334, 0xffff, 0x6 },
	{ 0x534, 0xffff, 0x4 },
	{ 0x4534, 0xffff, 0x6 },
	{ 0x934, 0xffff, 0x4 },
	{ 0x4934, 0xffff, 0x6 },
	{ 0x4134, 0xffff, 0x6 },
	{ 0x135, 0xffff, 0x8 },
	{ 0x335, 0xffff, 0x8 },
	{ 0x4135, 0xffff, 0xa },
	{ 0x4335, 0xffff, 0xa },
	{ 0x4435, 0xffff, 0x2 },
	{ 0x4835, 0xffff, 0x2 },
	{ 0x4a35, 0xffff, 0x2 },
	{ 0x5035, 0xffff, 0x2 },
	{ 0x136, 0xffff, 0x8 },
	{ 0x336, 0xffff, 0x8 },
	{ 0x4136, 0xffff, 0xa },
	{ 0x4336, 0xffff, 0xa },
	{ 0x4436, 0xffff, 0x2 },
	{ 0x4836, 0xffff, 0x2 },
	{ 0x4a36, 0xffff, 0x2 },
	{ 0x4037, 0x40ff, 0x2 },
	{ 0, 0, 0 },
};

/* kernel: ivbep_uncore_cbox_extra_regs */
static const struct uncore_filter ivb_filters[] = {
	{ 1ull << 19, 1ull << 19, 0x1 },
	{ 0x1031, 0x10ff, 0x2 },
	{ 0x1134, 0xffff, 0x4 },
	{ 0x4134, 0xffff, 0xc },
	{ 0x5134, 0xffff, 0xc },
	{ 0x334, 0xffff, 0x4 },
	{ 0x4334, 0xffff, 0xc },
	{ 0x534, 0xffff, 0x4 },
	{ 0x4534, 0xffff, 0xc },
	{ 0x934, 0xffff, 0x4 },
	{ 0x4934, 0xffff, 0xc },
	{ 0x135, 0xffff, 0x10 },
	{ 0x335, 0xffff, 0x10 },
	{ 0x2135, 0xffff, 0x10 },
	{ 0x2335, 0xffff, 0x10 },
	{ 0x4135, 0xffff, 0x18 },
	{ 0x4335, 0xffff, 0x18 },
	{ 0x4435, 0xffff, 0x8 },
	{ 0x4835, 0xffff, 0x8 },
	{ 0x4a35, 0xffff, 0x8 },
	{ 0x5035, 0xffff, 0x8 },
	{ 0x8135, 0xffff, 0x10 },
	{ 0x8335, 0xffff, 0x10 },
	{ 0x136, 0xffff, 0x10 },
	{ 0x336, 0xffff, 0x10 },
	{ 0x2136, 0xffff, 0x10 },
	{ 0x2336, 0xffff, 0x10 },
	{ 0x4136, 0xffff, 0x18 },
	{ 0x4336, 0xffff, 0x18 },
	{ 0x4436, 0xffff, 0x8 },
	{ 0x4836, 0xffff, 0x8 },
	{ 0x4a36, 0xffff, 0x8 },
	{ 0x5036, 0xffff, 0x8 },
	{ 0x8136, 0xffff, 0x10 },
	{ 0x8336, 0xffff, 0x10 },
	{ 0x4037, 0x40ff, 0x8 },
	{ 0, 0, 0 },
};

/* kernel: hswep_uncore_cbox_extra_regs */
static const struct uncore_filter hsw_filters[] = {
	{ 1ull << 19, 1ull << 19, 0x1 }, { 0x334, 0xffff, 0x4 },
	{ 0x534, 0xffff, 0x4 },          { 0x934, 0xffff, 0x4 },
	{ 0x1134, 0xffff, 0x4 },         { 0x2134, 0xffff, 0x4 },
	{ 0x4134, 0xffff, 0x4 },         { 0x4037, 0x40ff, 0x8 },
	{ 0x4028, 0x40ff, 0x8 },         { 0x4032, 0x40ff, 0x8 },
	{ 0x4029, 0x40ff, 0x8 },         { 0x4033, 0x40ff, 0x8 },
	{ 0x402a, 0x40ff, 0x8 },         { 0x135, 0xffff, 0x12 },
	{ 0x335, 0xffff, 0x10 },         { 0x4135, 0xffff, 0x18 },
	{ 0x4435, 0xffff, 0x8 },         { 0x4835, 0xffff, 0x8 },
	{ 0x5035, 0xffff, 0x8 },         { 0x4335, 0xffff, 0x18 },
	{ 0x4a35, 0xffff, 0x8 },         { 0x2335, 0xffff, 0x10 },
	{ 0x8335, 0xffff, 0x10 },        { 0x2135, 0xffff, 0x10 },
	{ 0x8135, 0xffff, 0x10 },        { 0x136, 0xffff, 0x10 },
	{ 0x336, 0xffff, 0x10 },         { 0x4136, 0xffff, 0x18 },
	{ 0x4436, 0xffff, 0x8 },         { 0x4836, 0xffff, 0x8 },
	{ 0x4336, 0xffff, 0x18 },        { 0x4a36, 0xffff, 0x8 },
	{ 0x2336, 0xffff, 0x10 },        { 0x8336, 0xffff, 0x10 },
	{ 0x2136, 0xffff, 0x10 },        { 0x8136, 0xffff, 0x10 },
	{ 0x5036, 0xffff, 0x8 },         { 0, 0, 0 },
};

/* kernel: snbep_qpi_hw_config(): match and mask of packets */
static const struct uncore_filter qpi_filters[] = { { 0x38, 0xff, 1 }, { 0, 0, 0 } };
/* kernel: hswep_ubox_hw_config(): any event but the clock */
static const struct uncore_filter ubox_filters[] = { { 0, 1ull << 63, 1 }, { 0, 0, 0 } };

static const struct pmu_field plain_fields[] = {
	FIELDS_BASE,
	FIELD("inv", 0, 23, 23),
	FIELD("thresh", 0, 31, 24),
	FIELDS_END,
};

#define FIELDS_QPI                                                                                 \
	FIELD_BITS("event", 0, 0x2000ffull), FIELD("umask", 0, 15, 8), FIELD("edge", 0, 18, 18),   \
		FIELD("thresh", 0, 31, 24), FIELD("match_rds", 1, 51, 48),                         \
		FIELD("match_rnid30", 1, 35, 32), FIELD("match_rnid4", 1, 31, 31),                 \
		FIELD("match_dnid", 1, 17, 13), FIELD("match_mc", 1, 12, 9),                       \
		FIELD("match_opc", 1, 8, 5), FIELD("match_vnw", 1, 4, 3),                          \
		FIELD("match0", 1, 31, 0), FIELD("match1", 1, 63, 32),                             \
		FIELD("mask_rds", 2, 51, 48), FIELD("mask_rnid30", 2, 35, 32),                     \
		FIELD("mask_rnid4", 2, 31, 31), FIELD("mask_dnid", 2, 17, 13),                     \
		FIELD("mask_mc", 2, 12, 9), FIELD("mask_opc", 2, 8, 5),                            \
		FIELD("mask_vnw", 2, 4, 3), FIELD("mask0", 2, 31, 0), FIELD("mask1", 2, 63, 32)
static const struct pmu_field qpi_fields[] = {
	FIELDS_QPI,
	FIELD("inv", 0, 23, 23),
	FIELDS_END,
};
/* kernel: ivbep_uncore_qpi_formats_attr has no inv. */
static const struct pmu_field ivb_qpi_fields[] = { FIELDS_QPI, FIELDS_END };

#define FIELDS_PCU                                                                                 \
	FIELD("event", 0, 7, 0), FIELD("occ_sel", 0, 15, 14), FIELD("edge", 0, 18, 18),            \
		FIELD("thresh", 0, 28, 24), FIELD("occ_invert", 0, 30, 30),                        \
		FIELD("occ_edge", 0, 51, 14), FIELD("filter_band0", 1, 7, 0),                      \
		FIELD("filter_band1", 1, 15, 8), FIELD("filter_band2", 1, 23, 16),                 \
		FIELD("filter_band3", 1, 31, 24)
static const struct pmu_field pcu_fields[] = {
	FIELDS_PCU,
	FIELD("inv", 0, 23, 23),
	FIELDS_END,
};
/* kernel: ivbep_uncore_pcu_formats_attr has no inv. */
static const struct pmu_field ivb_pcu_fields[] = { FIELDS_PCU, FIELDS_END };

/* kernel: snbep_uncore_ubox_formats_attr: a shorter threshold */
static const struct pmu_field short_fields[] = {
	FIELDS_BASE,
	FIELD("inv", 0, 23, 23),
	FIELD("thresh", 0, 28, 24),
	FIELDS_END,
};

static const struct pmu_field ubox_fields[] = {
	FIELDS_BASE,
	FIELD("inv", 0, 23, 23),
	FIELD("thresh", 0, 28, 24),
	FIELD("filter_tid", 1, 0, 0),
	FIELD("filter_cid", 1, 5, 5),
	FIELDS_END,
};

static const struct pmu_field snb_cbox_fields[] = {
	FIELDS_BASE,
	FIELD("tid_en", 0, 19, 19),
	FIELD("inv", 0, 23, 23),
	FIELD("thresh", 0, 31, 24),
	FIELD("filter_tid", 1, 4, 0),
	FIELD("filter_nid", 1, 17, 10),
	FIELD("filter_state", 1, 22, 18),
	FIELD("filter_opc", 1, 31, 23),
	FIELDS_END,
};

#define FIELDS_CBOX                                                                                \
	FIELDS_BASE, FIELD("tid_en", 0, 19, 19), FIELD("thresh", 0, 31, 24),                       \
		FIELD("filter_nid", 1, 47, 32), FIELD("filter_opc", 1, 60, 52),                    \
		FIELD("filter_c6", 1, 61, 61), FIELD("filter_nc", 1, 62, 62),                      \
		FIELD("filter_isoc", 1, 63, 63)

static const struct pmu_field ivb_cbox_fields[] = {
	FIELDS_CBOX,
	FIELD("filter_tid", 1, 4, 0),
	FIELD("filter_link", 1, 8, 5),
	FIELD("filter_state", 1, 22, 17),
	FIELDS_END,
};

static const struct pmu_field hsw_cbox_fields[] = {
	FIELDS_CBOX,
	FIELD("filter_tid", 1, 5, 0),
	FIELD("filter_link", 1, 8, 6),
	FIELD("filter_state", 1, 23, 17),
	FIELDS_END,
};

static const struct uncore_rules plain = { .fields = plain_fields };
static const struct uncore_rules ubox = { .fields = short_fields };
/*
 * Four filters of bands for events 0xb to 0xe, which take each other's (kernel:
 * snbep_pcu_get_constraint()): none of the events on four counters lacks one.
 */
static const struct uncore_rules pcu = { .fields = pcu_fields };
static const struct uncore_rules ivb_pcu = { .fields = ivb_pcu_fields };
static const struct uncore_rules qpi = {
	.fields = qpi_fields,
	.filters = qpi_filters,
	.bits = { ~0ull },
	.with_config2 = true,
};
static const struct uncore_rules ivb_qpi = {
	.fields = ivb_qpi_fields,
	.filters = qpi_filters,
	.bits = { ~0ull },
	.with_config2 = true,
};
static const struct uncore_rules hsw_ubox = {
	.fields = ubox_fields,
	.filters = ubox_filters,
	.bits = { 0x3f },
};
/* Thread, node, state, opcode. */
static const struct uncore_rules snb_cbox = {
	.fields = snb_cbox_fields,
	.filters = snb_filters,
	.bits = { 0x1f, 0x3fc00, 0x7c0000, 0xff800000 },
};
/* Thread, link, state, node, opcode and what is like it. */
static const struct uncore_rules ivb_cbox = {
	.fields = ivb_cbox_fields,
	.filters = ivb_filters,
	.bits = { 0x1f, 0x1e0, 0x7e0000, 0xffffull << 32, 0xfff0ull << 48 },
};
static const struct uncore_rules hsw_cbox = {
	.fields = hsw_cbox_fields,
	.filters = hsw_filters,
	.bits = { 0x3f, 0x3c0, 0xfe0000, 0xffffull << 32, 0xfff0ull << 48 },
};

BOX(snb_ep_ubox, "Sandy Bridge server, ubox", "uncore_ubox", 2, true, model_rules_box_clock, &ubox,
    "snbep_unc_ubo");
BOX(snb_ep_cbox, "Sandy Bridge server, cache box", "uncore_cbox", 4, false, snb_cbox_rules,
    &snb_cbox, "snbep_unc_cbo0");
BOX(snb_ep_pcu, "Sandy Bridge server, power control", "uncore_pcu", 4, false, model_rules_box, &pcu,
    "snbep_unc_pcu");
BOX(snb_ep_imc, "Sandy Bridge server, memory controller", "uncore_imc", 4, true,
    model_rules_box_clock, &plain, "snbep_unc_imc0");
BOX(snb_ep_qpi, "Sandy Bridge server, QPI", "uncore_qpi", 4, false, model_rules_box, &qpi,
    "snbep_unc_qpi0");
BOX(snb_ep_r2pcie, "Sandy Bridge server, ring to PCIe", "uncore_r2pcie", 4, false, snb_r2pcie_rules,
    &plain, "snbep_unc_r2pcie");
BOX(snb_ep_r3qpi, "Sandy Bridge server, ring to QPI", "uncore_r3qpi", 3, false, snb_r3qpi_rules,
    &plain, "snbep_unc_r3qpi0");
BOX(ivb_ep_ubox, "Ivy Bridge server, ubox", "uncore_ubox", 2, true, model_rules_box_clock, &ubox,
    "ivbep_unc_ubo");
BOX(ivb_ep_cbox, "Ivy Bridge server, cache box", "uncore_cbox", 4, false, snb_cbox_rules, &ivb_cbox,
    "ivbep_unc_cbo0");
BOX(ivb_ep_pcu, "Ivy Bridge server, power control", "uncore_pcu", 4, false, model_rules_box,
    &ivb_pcu, "ivbep_unc_pcu");
BOX(ivb_ep_imc, "Ivy Bridge server, memory controller", "uncore_imc", 4, true,
    model_rules_box_clock, &plain, "ivbep_unc_imc0");
BOX(ivb_ep_qpi, "Ivy Bridge server, QPI", "uncore_qpi", 4, false, model_rules_box, &ivb_qpi,
    "ivbep_unc_qpi0");
BOX(ivb_ep_r2pcie, "Ivy Bridge server, ring to PCIe", "uncore_r2pcie", 4, false, snb_r2pcie_rules,
    &plain, "ivbep_unc_r2pcie");
BOX(ivb_ep_r3qpi, "Ivy Bridge server, ring to QPI", "uncore_r3qpi", 3, false, snb_r3qpi_rules,
    &plain, "ivbep_unc_r3qpi0");
BOX(hsw_ep_ubox, "Haswell server, ubox", "uncore_ubox", 2, true, model_rules_box_clock, &hsw_ubox,
    "hswep_unc_ubo");
BOX(hsw_ep_cbox, "Haswell server, cache box", "uncore_cbox", 4, false, hsw_cbox_rules, &hsw_cbox,
    "hswep_unc_cbo0");
BOX(hsw_ep_pcu, "Haswell server, power control", "uncore_pcu", 4, false, model_rules_box, &pcu,
    "hswep_unc_pcu");
BOX(hsw_ep_imc, "Haswell server, memory controller", "uncore_imc", 4, true, model_rules_box_clock,
    &plain, "hswep_unc_imc0");
BOX(hsw_ep_qpi, "Haswell server, QPI", "uncore_qpi", 4, false, model_rules_box, &qpi,
    "hswep_unc_qpi0");
BOX(hsw_ep_r2pcie, "Haswell server, ring to PCIe", "uncore_r2pcie", 4, false, hsw_r2pcie_rules,
    &plain, "hswep_unc_r2pcie");
BOX(hsw_ep_r3qpi, "Haswell server, ring to QPI", "uncore_r3qpi", 3, false, hsw_r3qpi_rules, &plain,
    "hswep_unc_r3qpi0");
BOX(bdw_ep_ubox, "Broadwell server, ubox", "uncore_ubox", 2, true, model_rules_box_clock, &ubox,
    "bdx_unc_ubo");
BOX(bdw_ep_cbox, "Broadwell server, cache box", "uncore_cbox", 4, false, bdw_cbox_rules, &hsw_cbox,
    "bdx_unc_cbo0");
BOX(bdw_ep_pcu, "Broadwell server, power control", "uncore_pcu", 4, false, bdw_pcu_rules, &pcu,
    "bdx_unc_pcu");
BOX(bdw_ep_imc, "Broadwell server, memory controller", "uncore_imc", 4, true, model_rules_box_clock,
    &plain, "bdx_unc_imc0");
BOX(bdw_ep_qpi, "Broadwell server, QPI", "uncore_qpi", 4, false, model_rules_box, &qpi,
    "bdx_unc_qpi0");
BOX(bdw_ep_r2pcie, "Broadwell server, ring to PCIe", "uncore_r2pcie", 4, false, bdw_r2pcie_rules,
    &plain, "bdx_unc_r2pcie");
BOX(bdw_ep_r3qpi, "Broadwell server, ring to QPI", "uncore_r3qpi", 3, false, bdw_r3qpi_rules,
    &plain, "bdx_unc_r3qpi0");
