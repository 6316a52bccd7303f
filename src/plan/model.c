// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "plan/model.h"

#include <ctype.h>
#include <errno.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>

#include "event/pfm.h"
#include "plan/model_tables.h"
#include "plan/uncore.h"

#define POINT_TO(name) &model_##name,
const struct model *const models[] = { MODEL_LIST(POINT_TO) NULL };

const struct model_names model_names_arch = { .hw = { HW_INTEL }, .any_cache = true };

/* kernel: drivers/perf/arm_pmuv3.c, armv8_pmuv3_perf_map. */
const struct model_names model_names_armv8 = {
	.hw = { 0x11, 0x08, 0x04, 0x03, 0x21, 0x10, 0x1d, 0x23, 0x24, 0 },
	.any_cache = true,
};

const struct model_rule model_rules_armv8[] = {
	RULE(0x11, BITS_UMASK, COUNTER_BIT(COUNTER_FIXED), RULE_GENERAL_TOO, 0, 0, "CPU_CYCLES"),
	/* It joins two counters, and is the kernel's own; users' are refused from 6.3 on. */
	RULE(0x1e, BITS_UMASK, 0, 0, KERNEL_RC(6, 3, 1), 0, "CHAIN"),
	RULES_END,
};

static const struct model_rule x86_rules[] = { FIXED_COMMON, RULES_END };
static const struct model_rule no_rules[] = { RULES_END };
static const char *const armv8_pfm[] = { PFM_ARMV8, "arm_n1", "arm_ac57", NULL };
static const char *const no_pfm[] = { NULL };

static const char *after_dashes(const char *s, const char *end)
{
	while (s < end && (*s == '-' || *s == '_'))
		s++;
	return s;
}

/* Is `name` the word of `len` bytes at `word`, in any case, with or without - and _? */
static bool is_word(const char *name, const char *word, size_t len)
{
	const char *name_end = name + strlen(name), *word_end = word + len;

	for (;; name++, word++) {
		name = after_dashes(name, name_end);
		word = after_dashes(word, word_end);
		if (name == name_end || word == word_end)
			return name == name_end && word == word_end;
		if (tolower((unsigned char)*name) != *word)
			return false;
	}
}

static bool has_name(const struct model *model, const char *name)
{
	const char *word = model->aliases ?: "";
	size_t len;

	if (is_word(name, model->name, strlen(model->name)))
		return true;
	for (; *word; word += len + (word[len] == ' ')) {
		len = strcspn(word, " ");
		if (is_word(name, word, len))
			return true;
	}
	return false;
}

const struct model *model__find(const char *name)
{
	const struct model *const *m;
	char plain[64];
	size_t i;

	for (m = models; *m; m++)
		if (has_name(*m, name))
			return *m;
	for (m = uncore_models; *m; m++)
		if (has_name(*m, name))
			return *m;
	for (i = 0; name[i] && i < sizeof(plain) - 1; i++)
		plain[i] = name[i] == '-' ? '_' : (char)tolower((unsigned char)name[i]);
	plain[i] = '\0';
	return name[i] ? NULL : uncore__of_kin(plain);
}

bool model__announces(const struct model *model, uint64_t code)
{
	uint64_t at = code & ~PMCEID_EXT;

	return !model->announced[0] || at > 0x3f || model->announced[code >= PMCEID_EXT] >> at & 1;
}

static uint64_t low_counters(unsigned int cnt)
{
	return (1ull << cnt) - 1;
}

const struct model *model__armv8(unsigned int general_cnt)
{
	static struct model model = {
		.name = "armv8",
		.title = "PMUv3 of arm64",
		.pfm = armv8_pfm,
		.policy = POLICY_FIRST_FIT,
		.fixed = 1ull << COUNTER_FIXED,
		.rules = model_rules_armv8,
		.names = &model_names_armv8,
		.general_prefix = "CNT",
		.fixed_prefix = "CYC",
		.source = "kernel: drivers/perf/arm_pmuv3.c, armv8pmu_get_event_idx()",
	};

	model.general = model.general_ht_off = low_counters(general_cnt);
	return &model;
}

const struct model *model__matching(unsigned int general_cnt)
{
	static struct model model = {
		.name = "matching",
		.title = "a PMU that finds any assignment",
		.pfm = no_pfm,
		.policy = POLICY_MATCHING,
		.rules = no_rules,
		.names = &model_names_arch,
		.general_prefix = "CNT",
		.fixed_prefix = "FIX",
		.source = "docs/testpmu.md",
	};

	model.general = model.general_ht_off = low_counters(general_cnt);
	return &model;
}

const struct model *model__x86(unsigned int general_cnt, bool has_fixed)
{
	static struct model model = {
		.name = "x86",
		.title = "an x86 PMU without tables of its own",
		.pfm = no_pfm,
		.policy = POLICY_WEIGHT,
		.rules = x86_rules,
		.names = &model_names_arch,
		.general_prefix = "PMC",
		.fixed_prefix = "FIX",
		.has_watchdog = true,
		.source = "kernel: intel_gen_event_constraints",
	};

	model.fixed = has_fixed ? 7ull << COUNTER_FIXED : 0;
	model.general = model.general_ht_off = low_counters(general_cnt);
	return &model;
}

const struct model *model__counters(unsigned int general_cnt, unsigned int fixed_cnt)
{
	static struct model model = {
		.name = "counters",
		.title = "a PMU with events that name their counters",
		.pfm = no_pfm,
		.policy = POLICY_WEIGHT,
		.rules = no_rules,
		.names = &model_names_arch,
		.general_prefix = "PMC",
		.fixed_prefix = "FIX",
		.ht_erratum = true,
		.own_masks = true,
		.source = "kernel: arch/x86/events/core.c, perf_assign_events()",
	};

	model.fixed = low_counters(fixed_cnt) << COUNTER_FIXED;
	model.general = model.general_ht_off = low_counters(general_cnt);
	return &model;
}

static int cache_code(const struct model_names *names, uint64_t config, uint64_t *code,
		      uint64_t *config1)
{
	unsigned int cache = config & 0xff, op = config >> 8 & 0xff, result = config >> 16 & 0xff;

	if (cache > 6 || op > 2 || result > 1)
		return -ENOENT;
	if (names->any_cache) {
		*code = 0;
		return 0;
	}
	*code = names->cache[cache][op][result];
	/*
	 * Which responses are meant is in the register: each of these events asks for others, and
	 * for none that a raw event is likely to have.
	 */
	if (*code == OFFCORE || *code == OFFCORE_GLC)
		*config1 = 1ull << 63 | config;
	return *code ? 0 : -ENOENT;
}

int model__code(const struct model *model, uint32_t kernel, uint32_t type, uint64_t config,
		uint64_t *code, uint64_t *config1)
{
	const struct model_names *names = model->names;

	while (names->before && kernel < names->since)
		names = names->before;
	switch (type) {
	case PERF_TYPE_HARDWARE:
		/* The PMU's number may stand above, where there are several; 5.13. */
		config &= UINT32_MAX;
		*code = config < 10 ? names->hw[config] : 0;
		return *code ? 0 : -ENOENT;
	case PERF_TYPE_HW_CACHE:
		return cache_code(names, config & UINT32_MAX, code, config1);
	default:
		*code = config;
		return 0;
	}
}

static bool matches(const struct model_rule *rule, uint64_t code, uint32_t kernel)
{
	uint64_t seen = code & rule->mask;

	return seen >= rule->lo && seen <= rule->hi && kernel >= rule->since &&
	       (!rule->until || kernel < rule->until);
}

const struct model_rule *model__first_rule(const struct model_rule *rules, uint64_t code,
					   uint32_t kernel)
{
	for (; rules->what; rules++)
		if (matches(rules, code, kernel))
			return rules;
	return NULL;
}

const struct model_rule *model__rule(const struct model *model, uint64_t code, uint32_t kernel)
{
	return model__first_rule(model->rules, code, kernel);
}

const struct model_extra *model__extra(const struct model *model, uint64_t code, uint32_t kernel)
{
	const struct model_extra *extra = model->extra;

	for (; extra && extra->code; extra++)
		if (extra->code == (code & BITS_UMASK) &&
		    (kernel >= extra->since || extra->valid_before))
			return extra;
	return NULL;
}

bool model__takes(const struct model_extra *extra, uint64_t val, uint32_t kernel)
{
	return !(val & ~(kernel < extra->since ? extra->valid_before : extra->valid));
}

int kernel__parse(const char *text, uint32_t *kernel)
{
	unsigned long major, minor, rc = KERNEL_RELEASE;
	const char *mark;
	char *end;

	if (!isdigit((unsigned char)*text))
		return -EINVAL;
	major = strtoul(text, &end, 10);
	if (*end != '.' || !isdigit((unsigned char)end[1]))
		return -EINVAL;
	minor = strtoul(end + 1, &end, 10);
	if (major > 255 || minor > 254 || (*end && !strchr(".-+", *end)))
		return -EINVAL;
	/* In 2.6 it is the third number that counts. */
	if (major == 2 && minor == 6 && *end == '.') {
		rc = strtoul(end + 1, &end, 10);
		*kernel = KERNEL_RC(2, 6, rc > 254 ? 254 : rc);
		return 0;
	}
	mark = strstr(end, "-rc");
	if (mark && isdigit((unsigned char)mark[3]))
		rc = strtoul(mark + 3, NULL, 10);
	*kernel = KERNEL_RC(major, minor, rc > KERNEL_RELEASE ? KERNEL_RELEASE : rc);
	return 0;
}
