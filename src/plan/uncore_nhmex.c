// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * Uncore PMUs of Nehalem-EX and Westmere-EX (kernel: arch/x86/events/intel/uncore_nhmex.c, as of
 * 7.3). The events of memory and links, mbox and rbox, have registers that serve them alike.
 */
#include "plan/extra.h"
#include "plan/uncore_tables.h"

/* kernel: nhmex_uncore_bbox_constraints: bits 6 and 7 of an event name its counter */
static const struct model_rule bbox_rules[] = {
	NO_CLOCK,
	RULE(0x00, 0xc0, 0x1, 0, 0, 0, "the event's counter"),
	RULE(0x40, 0xc0, 0x2, 0, 0, 0, "the event's counter"),
	RULE(0x80, 0xc0, 0x4, 0, 0, 0, "the event's counter"),
	RULE(0xc0, 0xc0, 0x8, 0, 0, 0, "the event's counter"),
	RULES_END,
};

/* kernel: nhmex_bbox_hw_config(): events that match packets, by counter */
static const struct uncore_filter bbox_filters[] = {
	{ 0x00, 0xf8, 1 }, { 0x40, 0xf8, 1 }, { 0x48, 0xfc, 1 },
	{ 0x4c, 0xfe, 1 }, { 0x88, 0xfe, 1 }, { 0, 0, 0 },
};
/* kernel: nhmex_sbox_hw_config() */
static const struct uncore_filter sbox_filters[] = { { 0x00, 0xff, 1 }, { 0, 0, 0 } };

static const struct pmu_field plain_fields[] = {
	FIELDS_BASE,
	FIELD("inv", 0, 23, 23),
	FIELD("thresh", 0, 31, 24),
	FIELDS_END,
};

static const struct pmu_field ubox_fields[] = {
	FIELD("event", 0, 7, 0),
	FIELD("edge", 0, 18, 18),
	FIELDS_END,
};

static const struct pmu_field bbox_fields[] = {
	FIELD("event", 0, 5, 1),
	FIELD("counter", 0, 7, 6),
	FIELD("match", 1, 63, 0),
	FIELD("mask", 2, 63, 0),
	FIELDS_END,
};

static const struct pmu_field sbox_fields[] = {
	FIELDS_BASE,
	FIELD("inv", 0, 23, 23),
	FIELD("thresh", 0, 31, 24),
	FIELD("match", 1, 63, 0),
	FIELD("mask", 2, 63, 0),
	FIELDS_END,
};

static const struct uncore_rules plain = { .fields = plain_fields };
static const struct uncore_rules ubox = { .fields = ubox_fields };
/* Match and mask of packets. */
static const struct uncore_rules bbox = {
	.fields = bbox_fields,
	.filters = bbox_filters,
	.bits = { ~0ull },
	.with_config2 = true,
};
static const struct uncore_rules sbox = {
	.fields = sbox_fields,
	.filters = sbox_filters,
	.bits = { ~0ull },
	.with_config2 = true,
};

/* kernel: nhmex_uncore_mbox_extra_regs; the last four are fields of one register. */
enum { M_FILTER, M_DSP, M_ISS, M_MAP, M_THR, M_PGT, M_PLD, M_SHARED, M_FIELD };
#define FIELD_CNT 4
/* The upper bit of a field, which the event has kept on its way. */
#define KEPT_BIT 4

/*
 * Registers of events: by set_flag_sel with flag_mode, else by inc_sel. M_FIELD: any of the fields.
 * kernel: MBOX_INC_SEL_EXTAR_REG, MBOX_SET_FLAG_SEL_EXTRA_REG; 0: none.
 */
#define FLAG_MODE 0x80
static const uint8_t inc_sel_regs[32] = {
	[0x0] = M_DSP,   [0x4] = M_THR,    [0x5] = M_THR,   [0x9] = M_ISS,
	[0xa] = M_ISS,   [0xb] = M_PLD,    [0xd] = M_FIELD, [0xe] = M_FIELD,
	[0xf] = M_FIELD, [0x10] = M_FIELD, [0x16] = M_PGT,
};
static const uint8_t set_flag_regs[8] = {
	[0x0] = M_DSP, [0x1] = M_ISS, [0x5] = M_PGT, [0x6] = M_MAP
};
#define FIRST_WITH_FIELD 0xd
#define BOTH_ISS_AND_PLD 0xa

/* Low bits and one above the fields are all events'; `low`: their number. */
static bool take_field(struct extra_regs *regs, const struct plan_event *ev, uint8_t *like,
		       unsigned int low)
{
	unsigned int own = (unsigned int)(ev->code >> 9 & 0x1f) - FIRST_WITH_FIELD, i;
	uint64_t all = ((1ull << low) - 1) | 1ull << (low + 3 * FIELD_CNT);
	uint64_t own_val = ev->config1 >> (low + 3 * own) & 7;

	if (!extra__hold(regs, M_SHARED, ev->config1 & all))
		return false;
	for (i = 0; i < FIELD_CNT; i++) {
		unsigned int at = (own + *like + i) % FIELD_CNT;
		uint64_t val = own_val | (*like & KEPT_BIT);

		/* The kernel keeps Nehalem-EX' bit on Westmere-EX, too: there it is a field's. */
		if (at == FIELD_CNT - 1 && at != own && low == 12)
			val |= ev->config1 >> 21 & KEPT_BIT;
		if (!extra__hold(regs, M_FIELD + at, val))
			continue;
		*like = (uint8_t)((*like + i) % FIELD_CNT | (val & ~own_val & KEPT_BIT));
		return true;
	}
	return false;
}

/* kernel: nhmex_mbox_get_constraint() */
static bool take_mbox(struct extra_regs *regs, const struct plan_event *ev, uint8_t *like,
		      unsigned int low)
{
	unsigned int inc_sel = ev->code >> 9 & 0x1f;
	bool flags = ev->code & FLAG_MODE;
	uint8_t reg = flags ? set_flag_regs[ev->code >> 19 & 7] : inc_sel_regs[inc_sel];

	if (reg == M_FIELD)
		return take_field(regs, ev, like, low);
	if (reg && reg != M_PLD && !extra__hold(regs, reg, ev->config1 & UINT32_MAX))
		return false;
	if (reg != M_PLD && (flags || inc_sel != BOTH_ISS_AND_PLD))
		return true;
	return extra__hold(regs, M_PLD, ev->config1 >> 32) &&
	       extra__hold(regs, M_FILTER, ev->config2 >> 63 ? ev->config2 : ~0ull);
}

static bool take_nhmex_mbox(struct extra_regs *regs, const struct plan_event *ev, uint8_t *like)
{
	return take_mbox(regs, ev, like, 11);
}

static bool take_wsmex_mbox(struct extra_regs *regs, const struct plan_event *ev, uint8_t *like)
{
	return take_mbox(regs, ev, like, 12);
}

/* By port: two registers, two bytes of one, and two sets of three; each serves like the other. */
#define PORT_EVENTS 6
#define PORT_REGS 10

static bool hold_one(struct extra_regs *regs, const struct plan_event *ev, unsigned int port,
		     unsigned int own, unsigned int at)
{
	unsigned int first = port * PORT_REGS + at;

	if (at < 2)
		return extra__hold(regs, first, ev->config1);
	if (at < 4)
		return extra__hold(regs, first, ev->config1 >> 8 * (own - 2) & 0xff);
	first += 2 * (at - 4);
	return extra__hold(regs, first, ev->code >> 32) &&
	       extra__hold(regs, first + 1, ev->config1) &&
	       extra__hold(regs, first + 2, ev->config2);
}

/* kernel: nhmex_rbox_get_constraint() */
static bool take_rbox(struct extra_regs *regs, const struct plan_event *ev, uint8_t *like)
{
	unsigned int event = ev->code >> 1 & 0x1f, own = event % PORT_EVENTS, i;

	for (i = 0; i < 2; i++) {
		if (!hold_one(regs, ev, event / PORT_EVENTS, own, own ^ *like ^ i))
			continue;
		*like ^= (uint8_t)i;
		return true;
	}
	return false;
}

/* kernel: nhmex_rbox_hw_config() refuses events from 0x18 on. */
static const struct model_rule rbox_rules[] = {
	NO_CLOCK,
	RULE(0x30, 0x30, 0, 0, 0, 0, "no event"),
	RULES_END,
};

static const struct pmu_field mbox_fields[] = {
	FIELD("count_mode", 0, 3, 2),
	FIELD("storage_mode", 0, 5, 4),
	FIELD("wrap_mode", 0, 6, 6),
	FIELD("flag_mode", 0, 7, 7),
	FIELD("inc_sel", 0, 13, 9),
	FIELD("set_flag_sel", 0, 21, 19),
	FIELD("filter_cfg_en", 2, 63, 63),
	FIELD("filter_match", 2, 33, 0),
	FIELD("filter_mask", 2, 61, 34),
	FIELD("dsp", 1, 31, 0),
	FIELD("thr", 1, 31, 0),
	FIELD("fvc", 1, 31, 0),
	FIELD("pgt", 1, 31, 0),
	FIELD("map", 1, 31, 0),
	FIELD("iss", 1, 31, 0),
	FIELD("pld", 1, 63, 32),
	FIELDS_END,
};

static const struct pmu_field rbox_fields[] = {
	FIELD("event", 0, 5, 1),
	FIELD("xbr_mm_cfg", 0, 63, 32),
	FIELD("xbr_match", 1, 63, 0),
	FIELD("xbr_mask", 2, 63, 0),
	FIELD("qlx_cfg", 1, 15, 0),
	FIELD("iperf_cfg", 1, 31, 0),
	FIELDS_END,
};

static const struct uncore_rules nhmex_mbox = { .fields = mbox_fields, .take = take_nhmex_mbox };
static const struct uncore_rules wsmex_mbox = { .fields = mbox_fields, .take = take_wsmex_mbox };
static const struct uncore_rules rbox = { .fields = rbox_fields, .take = take_rbox };

#define EX "Nehalem-EX and Westmere-EX, "

BOX(nhmex_ubox, EX "ubox", "uncore_ubox", 1, false, model_rules_box, &ubox, NULL);
BOX(nhmex_cbox, EX "cache box", "uncore_cbox", 6, false, model_rules_box, &plain, NULL);
BOX(nhmex_wbox, EX "power control", "uncore_wbox", 4, true, model_rules_box_clock, &plain, NULL);
BOX(nhmex_bbox, EX "home agent", "uncore_bbox", 4, false, bbox_rules, &bbox, NULL);
BOX(nhmex_sbox, EX "router's box", "uncore_sbox", 4, false, model_rules_box, &sbox, NULL);
BOX(nhmex_mbox, "Nehalem-EX, memory controller", "uncore_mbox", 6, false, model_rules_box,
    &nhmex_mbox, NULL);
BOX(wsmex_mbox, "Westmere-EX, memory controller", "uncore_mbox", 6, false, model_rules_box,
    &wsmex_mbox, NULL);
BOX(nhmex_rbox, EX "router", "uncore_rbox", 8, false, rbox_rules, &rbox, NULL);
