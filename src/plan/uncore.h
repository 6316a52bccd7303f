/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * PMUs beside those of the cores, each a model of its own: caches, memory controllers, links
 * (kernel: arch/x86/events/intel/uncore.c, arch/x86/events/amd/uncore.c). They count for CPUs only,
 * in all modes, and do not sample.
 */
#ifndef BPFPERF_PLAN_UNCORE_H
#define BPFPERF_PLAN_UNCORE_H

#include <stdbool.h>

#include "plan/extra.h"
#include "plan/plan.h"

/* Parts of a box' filter register, each taken by itself; fewer than MODEL_REG_CNT. */
#define UNCORE_PARTS 5

/* Events with code & mask == `code` need these parts: a bit each. mask 0 ends a table. */
struct uncore_filter {
	uint64_t code, mask;
	unsigned int parts;
};

struct uncore_rules {
	const struct pmu_field *fields; /* the terms of its events; name NULL ends */
	const struct uncore_filter *filters; /* NULL: no event needs the register */
	uint64_t bits[UNCORE_PARTS]; /* by part: the bits of config1 in it */
	bool with_config2; /* a part holds config2 as well: it must be equal, too */
	/*
	 * In place of filters: takes what the event needs, true; false where others hold it. *like:
	 * how far it is now from the register of its code, of those that serve it alike; the
	 * kernel changes the event, and begins there the next time.
	 */
	bool (*take)(struct extra_regs *regs, const struct plan_event *ev, uint8_t *like);
};

/*
 * The models of such PMUs by name: struct model model_NAME. The CPU itself says how many counters
 * PMUs from Sapphire Rapids and Zen 4 on have: here are those of its manual.
 */
/* clang-format off */
#define UNCORE_LIST(X) \
	X(fam15h_nb) X(fam15h_l2) X(fam16h_nb) X(fam16h_l2) X(zen1_l3) X(zen1_df) X(zen2_l3) \
	X(zen2_df) X(zen3_l3) X(zen3_df) X(zen4_l3) X(zen4_df) X(zen4_umc) X(zen5_l3) \
	X(zen5_df) X(zen5_umc) \
	X(nhm_uncore) X(snb_cbox) X(snb_arb) X(skl_cbox) X(icl_cbox) X(icl_arb) X(icl_clock) \
	X(adl_cbox) X(adl_arb) X(adl_imc) X(adl_clock) \
	X(mtl_cbox) X(mtl_arb) X(mtl_hac_cbox) X(mtl_hac_arb) X(mtl_cncu) X(mtl_sncu) \
	X(lnl_cbox) X(lnl_arb) X(lnl_hbo) X(lnl_sncu) \
	X(ptl_cbox) X(ptl_ia_core_bridge) X(ptl_santa) X(ptl_cncu) X(ptl_imc) \
	X(ptl_hbo) X(ptl_sncu) \
	X(nvl_cbox) X(nvl_santa) X(nvl_cncu) \
	X(nhmex_ubox) X(nhmex_cbox) X(nhmex_wbox) X(nhmex_bbox) X(nhmex_sbox) \
	X(nhmex_mbox) X(wsmex_mbox) X(nhmex_rbox) \
	X(snb_ep_ubox) X(snb_ep_cbox) X(snb_ep_pcu) X(snb_ep_imc) X(snb_ep_qpi) \
	X(snb_ep_r2pcie) X(snb_ep_r3qpi) \
	X(ivb_ep_ubox) X(ivb_ep_cbox) X(ivb_ep_pcu) X(ivb_ep_imc) X(ivb_ep_qpi) \
	X(ivb_ep_r2pcie) X(ivb_ep_r3qpi) \
	X(hsw_ep_ubox) X(hsw_ep_cbox) X(hsw_ep_pcu) X(hsw_ep_imc) X(hsw_ep_qpi) \
	X(hsw_ep_r2pcie) X(hsw_ep_r3qpi) \
	X(bdw_ep_ubox) X(bdw_ep_cbox) X(bdw_ep_pcu) X(bdw_ep_imc) X(bdw_ep_qpi) \
	X(bdw_ep_r2pcie) X(bdw_ep_r3qpi) \
	X(knl_cha) X(knl_m2pcie) \
	X(skx_cha) X(skx_iio) X(skx_pcu) X(skx_imc) X(skx_m2pcie) X(skx_m3upi) \
	X(snr_iio) X(snr_imc) X(snr_pcu) \
	X(icx_cha) X(icx_iio) X(icx_imc) X(icx_m2pcie) X(icx_m3upi) \
	X(spr_cha) X(spr_iio) X(spr_irp) X(spr_imc) X(spr_m2pcie) X(spr_m2m) X(spr_upi) \
	X(spr_m3upi) X(spr_pcu) X(spr_mdf) X(spr_cxlcm) X(spr_cxldp) \
	X(gnr_cha) X(gnr_iio) X(gnr_irp) X(gnr_imc) X(gnr_upi) X(gnr_pcu) X(gnr_ubox) \
	X(gnr_b2cmi) X(gnr_b2upi) X(gnr_b2cxl) X(gnr_b2hot) X(gnr_mdf_sbo) X(gnr_cxlcm) \
	X(gnr_cxldp) X(gnr_pciex8) X(gnr_pciex16) \
	X(dmr_pcu) X(dmr_ubox) X(dmr_imc) X(dmr_sca) X(dmr_cxlcm) X(dmr_hamvf) X(dmr_cbo) \
	X(dmr_santa) X(dmr_cncu) X(dmr_sncu) X(dmr_ula) X(dmr_dda) X(dmr_sbo) X(dmr_ubr) \
	X(dmr_pcie4) X(dmr_pcie6) X(dmr_crs) X(dmr_cpc) X(dmr_itc) X(dmr_otc) X(dmr_cms)
/* clang-format on */
/* UNCORE_LIST's models; NULL ends. */
extern const struct model *const uncore_models[];

/* The parts of the filter that an event of this code needs: a bit each. */
unsigned int uncore__parts(const struct model *model, uint64_t code);
/*
 * Takes these parts of the box' filter: true; false if others hold one with another value. *like:
 * see uncore_rules; NULL: 0.
 */
bool uncore__take(const struct model *model, struct extra_regs *regs, const struct plan_event *ev,
		  uint8_t *like);
/*
 * The refusal that any event of such a PMU meets in the kernel: PLAN_CPUS_ONLY, PLAN_ALL_MODES,
 * PLAN_NOT_SAMPLED; or PLAN_OPENS.
 */
enum plan_refusal uncore__check(const struct plan_machine *machine, const struct plan_event *ev,
				enum plan_ctx ctx);
/*
 * The box of a family of cores by any name of theirs: "emr_cha", and that of another family which
 * they have: "srf_cha". `name` is in small letters, with '_'. NULL: there is none.
 */
const struct model *uncore__of_kin(const char *name);
/*
 * The model of the PMU that sysfs calls `pmu` ("amd_l3", "uncore_cbox_0") on this machine; NULL:
 * there is none.
 */
const struct model *uncore__of_host(const char *pmu);

#endif
