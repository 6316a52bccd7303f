// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * Uncore PMUs of Xeon Phi, and of Intel's servers from Skylake to Granite Rapids (kernel:
 * arch/x86/events/intel/uncore_snbep.c, as of 7.3). From Sapphire Rapids on the CPU has tables of
 * its boxes; their counters here are those of the events in Intel's lists (kernel:
 * tools/perf/pmu-events/arch/x86/sapphirerapids, graniterapids).
 */
#include "plan/uncore_tables.h"

/* kernel: knl_uncore_cha_constraints */
static const struct model_rule knl_cha_rules[] = {
	NO_CLOCK, ON(0x11, 0x11, 0x1), ON(0x1f, 0x1f, 0x1), ON(0x36, 0x36, 0x1), RULES_END,
};

/* kernel: knl_uncore_m2pcie_constraints */
static const struct model_rule m2pcie_rules[] = {
	NO_CLOCK,
	ON(0x23, 0x23, 0x3),
	RULES_END,
};

/* kernel: skx_uncore_chabox_constraints */
static const struct model_rule cha_rules[] = {
	NO_CLOCK,
	ON(0x11, 0x11, 0x1),
	ON(0x36, 0x36, 0x1),
	RULES_END,
};

/* kernel: skx_uncore_iio_constraints */
static const struct model_rule skx_iio_rules[] = {
	NO_CLOCK,
	ON(0x83, 0x83, 0x3),
	ON(0x88, 0x88, 0xc),
	ON(0x95, 0x95, 0xc),
	ON(0xc0, 0xc0, 0xc),
	ON(0xc5, 0xc5, 0xc),
	ON(0xd4, 0xd5, 0xc),
	RULES_END,
};

/* kernel: skx_uncore_m3upi_constraints */
static const struct model_rule skx_m3upi_rules[] = {
	NO_CLOCK, ON(0x1d, 0x1e, 0x1), ON(0x40, 0x40, 0x7), ON(0x4e, 0x52, 0x7), RULES_END,
};

/* kernel: snr_uncore_iio_constraints */
static const struct model_rule snr_iio_rules[] = {
	NO_CLOCK, ON(0x83, 0x83, 0x3), ON(0xc0, 0xc0, 0xc), ON(0xd5, 0xd5, 0xc), RULES_END,
};

/* kernel: icx_uncore_iio_constraints */
static const struct model_rule icx_iio_rules[] = {
	NO_CLOCK,
	ON(0x02, 0x02, 0x3),
	ON(0x03, 0x03, 0x3),
	ON(0x83, 0x83, 0x3),
	ON(0x88, 0x88, 0xc),
	ON(0xc0, 0xc0, 0xc),
	ON(0xc5, 0xc5, 0xc),
	ON(0xd5, 0xd5, 0xc),
	RULES_END,
};

/* kernel: icx_uncore_m2pcie_constraints */
static const struct model_rule icx_m2pcie_rules[] = {
	NO_CLOCK, ON(0x14, 0x14, 0x3), ON(0x23, 0x23, 0x3), ON(0x2d, 0x2d, 0x3), RULES_END,
};

/* kernel: icx_uncore_m3upi_constraints */
static const struct model_rule icx_m3upi_rules[] = {
	NO_CLOCK, ON(0x1c, 0x1f, 0x1), ON(0x40, 0x40, 0x7), ON(0x4e, 0x50, 0x7), RULES_END,
};

/* kernel: spr_uncore_m2pcie_constraints */
static const struct model_rule spr_m2pcie_rules[] = {
	NO_CLOCK,
	ON(0x14, 0x14, 0x3),
	ON(0x2d, 0x2d, 0x3),
	RULES_END,
};

/* kernel: spr_uncore_cxlcm_constraints */
static const struct model_rule spr_cxlcm_rules[] = {
	NO_CLOCK,
	ON(0x02, 0x02, 0xf),
	ON(0x05, 0x05, 0xf),
	ON(0x40, 0x43, 0xf0),
	ON(0x4b, 0x4b, 0xf0),
	ON(0x52, 0x52, 0xf0),
	RULES_END,
};

/* kernel: knl_uncore_cha_extra_regs */
static const struct uncore_filter knl_filters[] = {
	{ 1ull << 19, 1ull << 19, 0x1 },
	{ 0x3d, 0xff, 0x2 },
	{ 0x35, 0xff, 0x4 },
	{ 0x36, 0xff, 0x4 },
	{ 0, 0, 0 },
};

/* kernel: skx_cha_hw_config() sets all parts for an event of one thread */
#define SKX_THREAD                                                                                 \
	{                                                                                          \
		1ull << 19, 1ull << 19, 0x1f                                                       \
	}
/* kernel: skx_uncore_cha_extra_regs */
static const struct uncore_filter skx_filters[] = {
	SKX_THREAD,
	{ 0x334, 0xffff, 0x4 },
	{ 0x534, 0xffff, 0x4 },
	{ 0x934, 0xffff, 0x4 },
	{ 0x1134, 0xffff, 0x4 },
	{ 0x3134, 0xffff, 0x4 },
	{ 0x9134, 0xffff, 0x4 },
	{ 0x35, 0xff, 0x8 },
	{ 0x36, 0xff, 0x8 },
	{ 0x38, 0xff, 0x3 },
	{ 0, 0, 0 },
};

/* kernel: spr_cha_hw_config() */
static const struct uncore_filter spr_filters[] = {
	{ 1ull << 16, 1ull << 16, 1 },
	{ 0, 0, 0 },
};

static const struct pmu_field plain_fields[] = {
	FIELDS_BASE,
	FIELD("inv", 0, 23, 23),
	FIELD("thresh", 0, 31, 24),
	FIELDS_END,
};

/* Sapphire Rapids on: a longer umask. */
static const struct pmu_field raw_fields[] = {
	FIELD("event", 0, 7, 0),    FIELD_BITS("umask", 0, 0xffffffull << 32 | 0xff00),
	FIELD("edge", 0, 18, 18),   FIELD("inv", 0, 23, 23),
	FIELD("thresh", 0, 31, 24), FIELDS_END,
};

static const struct pmu_field knl_cha_fields[] = {
	FIELDS_BASE,
	FIELD("qor", 0, 16, 16),
	FIELD("tid_en", 0, 19, 19),
	FIELD("inv", 0, 23, 23),
	FIELD("thresh", 0, 31, 24),
	FIELD("filter_tid", 1, 8, 0),
	FIELD("filter_link", 1, 12, 12),
	FIELD("filter_state", 1, 20, 18),
	FIELD("filter_local", 1, 33, 33),
	FIELD("filter_all_op", 1, 35, 35),
	FIELD("filter_nnm", 1, 37, 37),
	FIELD("filter_opc", 1, 60, 41),
	FIELD("filter_nc", 1, 62, 62),
	FIELD("filter_isoc", 1, 63, 63),
	FIELDS_END,
};

static const struct pmu_field skx_cha_fields[] = {
	FIELDS_BASE,
	FIELD("tid_en", 0, 19, 19),
	FIELD("inv", 0, 23, 23),
	FIELD("thresh", 0, 31, 24),
	FIELD("filter_tid", 1, 8, 0),
	FIELD("filter_state", 1, 26, 17),
	FIELD("filter_rem", 1, 32, 32),
	FIELD("filter_loc", 1, 33, 33),
	FIELD("filter_all_op", 1, 35, 35),
	FIELD("filter_nm", 1, 36, 36),
	FIELD("filter_not_nm", 1, 37, 37),
	FIELD("filter_opc0", 1, 50, 41),
	FIELD("filter_opc1", 1, 60, 51),
	FIELD("filter_nc", 1, 62, 62),
	FIELD("filter_isoc", 1, 63, 63),
	FIELDS_END,
};

/* Ice Lake server on: a longer umask. */
static const struct pmu_field icx_cha_fields[] = {
	FIELD("event", 0, 7, 0),      FIELD_BITS("umask", 0, 0x3ffffffull << 32 | 0xff00),
	FIELD("edge", 0, 18, 18),     FIELD("tid_en", 0, 19, 19),
	FIELD("inv", 0, 23, 23),      FIELD("thresh", 0, 31, 24),
	FIELD("filter_tid", 1, 9, 0), FIELDS_END,
};

static const struct pmu_field spr_cha_fields[] = {
	FIELD("event", 0, 7, 0),      FIELD_BITS("umask", 0, 0xffffffffull << 32 | 0xff00),
	FIELD("tid_en", 0, 16, 16),   FIELD("edge", 0, 18, 18),
	FIELD("inv", 0, 23, 23),      FIELD("thresh", 0, 31, 24),
	FIELD("filter_tid", 1, 9, 0), FIELDS_END,
};

/* kernel: skx_uncore_pcu_formats_attr */
static const struct pmu_field pcu_fields[] = {
	FIELDS_BASE,
	FIELD("inv", 0, 23, 23),
	FIELD("thresh", 0, 31, 24),
	FIELD("occ_invert", 0, 30, 30),
	FIELD("occ_edge_det", 0, 31, 31),
	FIELD("filter_band0", 1, 7, 0),
	FIELD("filter_band1", 1, 15, 8),
	FIELD("filter_band2", 1, 23, 16),
	FIELD("filter_band3", 1, 31, 24),
	FIELDS_END,
};

#define FIELDS_IIO FIELDS_BASE, FIELD("inv", 0, 23, 23), FIELD("thresh", 0, 35, 24)

static const struct pmu_field skx_iio_fields[] = {
	FIELDS_IIO,
	FIELD("ch_mask", 0, 43, 36),
	FIELD("fc_mask", 0, 46, 44),
	FIELDS_END,
};

static const struct pmu_field icx_iio_fields[] = {
	FIELDS_IIO,
	FIELD("ch_mask", 0, 47, 36),
	FIELD("fc_mask", 0, 50, 48),
	FIELDS_END,
};

static const struct uncore_rules plain = { .fields = plain_fields };
static const struct uncore_rules raw = { .fields = raw_fields };
static const struct uncore_rules skx_iio = { .fields = skx_iio_fields };
static const struct uncore_rules icx_iio = { .fields = icx_iio_fields };
static const struct uncore_rules icx_cha = { .fields = icx_cha_fields };
/* Thread, state, opcodes: without the bits that the kernel sets in all (knl_cha_hw_config()). */
static const struct uncore_rules knl_cha = {
	.fields = knl_cha_fields,
	.filters = knl_filters,
	.bits = { 0x1ff, 0x1c0000, 0xfffffe08ull << 32 },
};
/* Thread, link, state, opcodes and what is like them. */
static const struct uncore_rules skx_cha = {
	.fields = skx_cha_fields,
	.filters = skx_filters,
	.bits = { 0x1ff, 0x1e00, 0x7fe0000, 0xdffffe3bull << 32 },
};
static const struct uncore_rules spr_cha = {
	.fields = spr_cha_fields,
	.filters = spr_filters,
	.bits = { 0x3ff },
};
/* Like the servers before: a band for each event on four counters. */
static const struct uncore_rules skx_pcu = { .fields = pcu_fields };

BOX(knl_cha, "Xeon Phi, cache agent", "uncore_cha", 4, false, knl_cha_rules, &knl_cha,
    "knl_unc_cha0");
BOX(knl_m2pcie, "Xeon Phi, mesh to PCIe", "uncore_m2pcie", 4, false, m2pcie_rules, &plain,
    "knl_unc_m2pcie");
BOX(skx_cha, "Skylake server, cache agent", "uncore_cha", 4, false, cha_rules, &skx_cha,
    "skx_unc_cha0");
BOX(skx_iio, "Skylake server, I/O", "uncore_iio", 4, false, skx_iio_rules, &skx_iio,
    "skx_unc_iio0");
BOX(skx_pcu, "Skylake server, power control", "uncore_pcu", 4, false, model_rules_box, &skx_pcu,
    "skx_unc_pcu");
BOX(skx_imc, "Skylake server, memory controller", "uncore_imc", 4, true, model_rules_box_clock,
    &plain, "skx_unc_imc0");
BOX(skx_m2pcie, "Skylake server, mesh to PCIe", "uncore_m2pcie", 4, false, m2pcie_rules, &plain,
    "skx_unc_m2pcie0");
BOX(skx_m3upi, "Skylake server, mesh to UPI", "uncore_m3upi", 3, false, skx_m3upi_rules, &plain,
    "skx_unc_m3upi0");
BOX(snr_iio, "Snow Ridge, I/O", "uncore_iio", 4, false, snr_iio_rules, &icx_iio, NULL);
BOX(snr_pcu, "Snow Ridge, power control", "uncore_pcu", 4, false, model_rules_box, &skx_pcu, NULL);
BOX(snr_imc, "Snow Ridge, memory controller", "uncore_imc", 4, true, model_rules_box_clock, &plain,
    NULL);
BOX(icx_cha, "Ice Lake server, cache agent", "uncore_cha", 4, false, cha_rules, &icx_cha,
    "icx_unc_cha0");
BOX(icx_iio, "Ice Lake server, I/O", "uncore_iio", 4, false, icx_iio_rules, &icx_iio,
    "icx_unc_iio0");
BOX(icx_imc, "Ice Lake server, memory controller", "uncore_imc", 4, true, model_rules_box_clock,
    &plain, "icx_unc_imc0");
BOX(icx_m2pcie, "Ice Lake server, mesh to PCIe", "uncore_m2pcie", 4, false, icx_m2pcie_rules,
    &plain, "icx_unc_m2pcie0");
BOX(icx_m3upi, "Ice Lake server, mesh to UPI", "uncore_m3upi", 4, false, icx_m3upi_rules, &plain,
    "icx_unc_m3upi0");
BOX(spr_cha, "Sapphire Rapids, cache agent", "uncore_cha", 4, false, cha_rules, &spr_cha,
    "spr_unc_cha0");
BOX(spr_iio, "Sapphire Rapids, I/O", "uncore_iio", 4, false, icx_iio_rules, &icx_iio, NULL);
#define RAW_BOX(id, shown, pmu, cnt, libpfm)                                                       \
	BOX(id, shown, pmu, cnt, false, model_rules_box, &raw, libpfm)
/* Boxes that both have. */
#define BOXES_BOTH(id, cpu)                                                                        \
	BOX(id##_imc, cpu ", memory controller", "uncore_imc", 4, true, model_rules_box_clock,     \
	    &raw, "spr_unc_imc0");                                                                 \
	BOX(id##_pcu, cpu ", power control", "uncore_pcu", 4, false, model_rules_box, &plain,      \
	    NULL);                                                                                 \
	RAW_BOX(id##_upi, cpu ", UPI", "uncore_upi", 4, "spr_unc_upi0");                           \
	BOX(id##_cxlcm, cpu ", CXL", "uncore_cxlcm", 8, false, spr_cxlcm_rules, &raw, NULL);       \
	RAW_BOX(id##_cxldp, cpu ", CXL data", "uncore_cxldp", 4, NULL)

BOXES_BOTH(spr, "Sapphire Rapids");
RAW_BOX(spr_irp, "Sapphire Rapids, I/O coherence", "uncore_irp", 2, NULL);
BOX(spr_m2pcie, "Sapphire Rapids, mesh to PCIe", "uncore_m2pcie", 4, false, spr_m2pcie_rules, &raw,
    NULL);
RAW_BOX(spr_m2m, "Sapphire Rapids, mesh to memory", "uncore_m2m", 4, NULL);
BOX(spr_m3upi, "Sapphire Rapids, mesh to UPI", "uncore_m3upi", 4, false, icx_m3upi_rules, &raw,
    NULL);
RAW_BOX(spr_mdf, "Sapphire Rapids, die to die", "uncore_mdf", 4, NULL);

BOXES_BOTH(gnr, "Granite Rapids");
BOX(gnr_cha, "Granite Rapids, cache agent", "uncore_cha", 4, false, cha_rules, &spr_cha, NULL);
BOX(gnr_iio, "Granite Rapids, I/O", "uncore_iio", 4, false, icx_iio_rules, &icx_iio, NULL);
RAW_BOX(gnr_irp, "Granite Rapids, I/O coherence", "uncore_irp", 4, NULL);
BOX(gnr_ubox, "Granite Rapids, ubox", "uncore_ubox", 2, false, model_rules_box, &plain, NULL);
RAW_BOX(gnr_b2cmi, "Granite Rapids, bridge to memory", "uncore_b2cmi", 4, NULL);
RAW_BOX(gnr_b2upi, "Granite Rapids, bridge to UPI", "uncore_b2upi", 4, NULL);
RAW_BOX(gnr_b2cxl, "Granite Rapids, bridge to CXL", "uncore_b2cxl", 4, NULL);
BOX(gnr_b2hot, "Granite Rapids, bridge to I/O", "uncore_b2hot", 4, false, model_rules_box, &plain,
    NULL);
BOX(gnr_mdf_sbo, "Granite Rapids, die to die", "uncore_mdf_sbo", 4, false, model_rules_box, &plain,
    NULL);
/* No event of theirs is listed. */
RAW_BOX(gnr_pciex8, "Granite Rapids, PCIe x8 (four counters assumed)", "uncore_pciex8", 4, NULL);
RAW_BOX(gnr_pciex16, "Granite Rapids, PCIe x16 (four counters assumed)", "uncore_pciex16", 4, NULL);
