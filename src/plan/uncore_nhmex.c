// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * Uncore PMUs of Nehalem-EX and Westmere-EX (kernel: arch/x86/events/intel/uncore_nhmex.c, as of
 * 7.3). Those of memory and links, mbox and rbox, are not here: their events change registers with
 * each other.
 */
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

#define EX "Nehalem-EX and Westmere-EX, "

BOX(nhmex_ubox, EX "ubox", "uncore_ubox", 1, false, model_rules_box, &ubox, NULL);
BOX(nhmex_cbox, EX "cache box", "uncore_cbox", 6, false, model_rules_box, &plain, NULL);
BOX(nhmex_wbox, EX "power control", "uncore_wbox", 4, true, model_rules_box_clock, &plain, NULL);
BOX(nhmex_bbox, EX "home agent", "uncore_bbox", 4, false, bbox_rules, &bbox, NULL);
BOX(nhmex_sbox, EX "router's box", "uncore_sbox", 4, false, model_rules_box, &sbox, NULL);
