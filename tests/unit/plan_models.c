// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * Every model against what the kernel's own tables and functions answer, as tools/models-check
 * extracted it into tests/unit/data/models: counters, registers and flags of every event and umask,
 * plain, with a cmask, in transactions; the codes of perf's names; each event that libpfm4 names.
 */
#include <unistd.h>

#include "tap.h"

#include "plan/model_choice.h"
#include "plan/precise.h"
#include "plan/quirks.h"

#define RANGES_MAX 600
#define CODE_BITS 0xffffull
#define AMD_EVENT_BITS 0xf00000000ull
#define IN_TX_CP (1ull << 33)

struct range {
	unsigned int first, last;
	uint64_t counters;
	unsigned int flags;
	int reg; /* enum model_reg, -1: none */
	uint64_t valid;
};

/* One section of a file: all codes with some more bits. */
struct section {
	struct range ranges[RANGES_MAX];
	size_t cnt;
};

static struct section plain, with_cmask, in_tx, precise;
/* The level of precision that is compared now. */
static uint8_t level;
/* Three, where the file has such a section. */
static unsigned int most_precise;
static const struct model *model;

static const char *const regs[] = { "RSP_0",   "RSP_1", "LDLAT", "FE",    "SNOOP_0",
				    "SNOOP_1", "OMR_0", "OMR_1", "OMR_2", "OMR_3" };

/* "301-3ff 15 pair", "2a01-2a01 f RSP_0:3fffffffff" */
static bool parse_range(struct range *r, char *line)
{
	char *word, *left = line;
	unsigned long long counters;
	size_t i;

	*r = (struct range){ .reg = -1 };
	word = strsep(&left, " ");
	if (!left || sscanf(word, "%x-%x", &r->first, &r->last) != 2 ||
	    sscanf(strsep(&left, " "), "%llx", &counters) != 1)
		return false;
	r->counters = counters;
	while (left && (word = strsep(&left, " "))) {
		char *colon = strchr(word, ':');

		if (!colon) {
			r->flags |= !strcmp(word, "exclusive") ? RULE_CORRUPTING
				    : !strcmp(word, "overlap") ? RULE_OVERLAP
				    : !strcmp(word, "pair")    ? RULE_PAIR
				    : !strcmp(word, "node")    ? RULE_NORTHBRIDGE
							       : ~0u;
			continue;
		}
		*colon = '\0';
		for (i = 0; i < sizeof(regs) / sizeof(regs[0]); i++)
			if (!strcmp(regs[i], word))
				r->reg = (int)i;
		r->valid = strtoull(colon + 1, NULL, 16);
	}
	return true;
}

/* The code of a range's number: event and umask; AMD's event has 12 bits; arm64 has no umask. */
static uint64_t code_of(unsigned int key, bool flat)
{
	return flat ? key : (key >> 8 & 0xff) | (key & 0xff) << 8 | (uint64_t)(key >> 16) << 32;
}

static unsigned int key_of(uint64_t code)
{
	bool is_amd = model->policy == POLICY_WEIGHT && !model->has_extra_regs;

	if (model->policy == POLICY_FIRST_FIT && model->fixed)
		return (unsigned int)code;
	return (unsigned int)((code & 0xff) << 8 | (code >> 8 & 0xff) |
			      (is_amd ? code >> 32 & 0xf : 0) << 16);
}

static bool is_like(const struct range *r, uint64_t code, bool ht)
{
	const unsigned int flags = RULE_CORRUPTING | RULE_OVERLAP | RULE_PAIR | RULE_NORTHBRIDGE;
	const struct model_extra *extra = model__extra(model, code, KERNEL_ANY);
	struct plan_machine machine = { .model = model, .kernel = KERNEL_ANY, .ht = ht };
	struct plan_event ev = { .is_hw = true, .code = code, .precise = level };
	uint64_t want = r->counters;

	if (ht)
		want &= model->general | ~COUNTERS_GENERAL;
	quirks__constrain(&machine, &ev);
	if (ev.counters == want && (ev.rule ? ev.rule->flags & flags : 0) == r->flags &&
	    (extra ? (int)extra->reg : -1) == r->reg && (!extra || extra->valid == r->valid))
		return true;
	printf("# %s, code %#" PRIx64 ": counters %#" PRIx64 ", the kernel: %#" PRIx64 "\n",
	       model->name, code, ev.counters, want);
	return false;
}

/* Compares each code of the range; the number of those that differ. */
static size_t differing(const struct range *r, uint64_t more, bool flat)
{
	unsigned int key;
	size_t cnt = 0;

	for (key = r->first; key <= r->last && cnt < 5; key++)
		cnt += !is_like(r, code_of(key, flat) | more, false) ||
		       !is_like(r, code_of(key, flat) | more, true);
	return cnt;
}

static void check_names(char *line)
{
	char *left = line, *word = strsep(&left, " ");
	bool hw = !strcmp(word, "hw"), same = true;
	const uint32_t *cache = &model->names->cache[0][0][0];
	size_t i;

	for (i = 0; left && (word = strsep(&left, " ")); i++)
		same &= strtoull(word, NULL, 16) == (hw       ? model->names->hw[i]
						     : i < 42 ? cache[i]
							      : ~0ull);
	ok(same && i == (hw ? 10 : 42), "%s: codes of perf's names of %s events", model->name,
	   hw ? "hardware" : "cache");
}

static void check_counters(const char *line)
{
	unsigned long long shared, alone, fixed;

	if (!ok(sscanf(line, "counters %llx %llx %llx", &shared, &alone, &fixed) == 3,
		"%s: the file has counters", model->name))
		return;
	ok(model->general == shared && model->general_ht_off == alone &&
		   (model->fixed >> COUNTER_FIXED & 0xffff) == fixed,
	   "%s: general and fixed counters", model->name);
}

struct reading {
	const char *title; /* of the section */
	uint64_t more;
	bool flat;
	struct section *section;
	unsigned int next; /* the code that the next range begins with */
	size_t differ;
	bool whole; /* no code is left out */
};

static void end_section(const struct reading *rd)
{
	if (!rd->title)
		return;
	ok(rd->whole && rd->next >= 0x10000, "%s: the file has every code, %s", model->name,
	   rd->title);
	is_u64(rd->differ, 0, "%s: counters, registers and flags of every code, %s", model->name,
	       rd->title);
}

static bool begin_section(struct reading *rd, const char *line)
{
	static const struct {
		const char *title;
		uint64_t more;
	} titles[] = {
		{ "plain", 0 },
		{ "flat", 0 },
		{ "cmask=1", 1ull << 24 },
		{ "in_tx=1,in_tx_cp=1", 3ull << 32 },
		{ "precise=1", 0 },
		{ "precise=3", 0 },
	};
	size_t i;

	for (i = 0; i < 6 && strcmp(line, titles[i].title); i++)
		;
	if (i == 6)
		return false;
	end_section(rd);
	level = i < 4 ? 0 : i == 4 ? 1 : 3;
	most_precise = level ?: most_precise;
	*rd = (struct reading){ .title = titles[i].title, .more = titles[i].more, .whole = true };
	rd->flat = i == 1;
	rd->section = i < 2 ? &plain : i == 2 ? &with_cmask : i == 3 ? &in_tx : &precise;
	rd->section->cnt = 0;
	return true;
}

static void check_file(FILE *f)
{
	struct reading rd = { 0 };
	char line[4096];
	struct range r;

	most_precise = 0;
	while (fgets(line, sizeof(line), f)) {
		line[strcspn(line, "\n")] = '\0';
		if (*line == '#' || begin_section(&rd, line))
			continue;
		if (!strncmp(line, "counters ", 9)) {
			check_counters(line);
		} else if (!strncmp(line, "hw ", 3) || !strncmp(line, "cache ", 6)) {
			check_names(line);
		} else if (rd.section && parse_range(&r, line)) {
			rd.whole &= r.first == rd.next;
			rd.next = r.last + 1;
			rd.differ += differing(&r, rd.more, rd.flat);
			if (rd.section->cnt < RANGES_MAX)
				rd.section->ranges[rd.section->cnt++] = r;
		} else {
			rd.whole = false;
		}
	}
	end_section(&rd);
	level = 0;
	if (model->has_extra_regs)
		is_u64(model->precise ? model->precise->max : 0, most_precise == 3 ? 3 : 2,
		       "%s: how many p it takes", model->name);
}

struct named {
	size_t cnt, differ;
};

/* The section that an event's other bits ask for: only a plain event is on a fixed counter. */
static const struct section *section_of(uint64_t code)
{
	if (model->policy == POLICY_FIRST_FIT)
		return &plain;
	if (!model->has_extra_regs)
		return code & ~(CODE_BITS | AMD_EVENT_BITS) ? &with_cmask : &plain;
	return code & IN_TX_CP ? &in_tx : code & ~CODE_BITS ? &with_cmask : &plain;
}

/* An event by name: its whole code, with what libpfm4 adds to event and umask. */
static void check_event(void *ctx, const char *name, uint64_t code, const char *counters)
{
	const struct section *section = section_of(code);
	struct named *named = ctx;
	unsigned int key = key_of(code);
	size_t i;

	named->cnt++;
	for (i = 0; i < section->cnt; i++)
		if (key >= section->ranges[i].first && key <= section->ranges[i].last)
			break;
	if (i == section->cnt || !is_like(&section->ranges[i], code, false)) {
		printf("# %s %s\n", name, counters);
		named->differ++;
	}
}

static void check_events(void)
{
	struct named named = { 0 };

	model_choice__use_names(model);
	ok(!model_choice__each_event(model, check_event, &named) && named.cnt > 10,
	   "%s: events have names", model->name);
	is_u64(named.differ, 0, "%s: counters of every event that has a name", model->name);
	model_choice__use_names(NULL);
}

int main(void)
{
	const struct model *const *m;
	char path[256];

	for (m = models; *m; m++) {
		FILE *f;

		model = *m;
		snprintf(path, sizeof(path), "tests/unit/data/models/%s.txt", model->name);
		f = fopen(path, "r");
		if (!ok(f != NULL, "%s: there is a file of it", model->name))
			continue;
		check_file(f);
		fclose(f);
		check_events();
	}
	return done_testing();
}
