// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "event/branch_kinds.h"

#include <linux/perf_event.h>
#include <stddef.h>
#include <string.h>
#include <strings.h>

static const struct {
	const char *name;
	uint64_t bit;
} kinds[] = {
	{ "u", PERF_SAMPLE_BRANCH_USER },
	{ "k", PERF_SAMPLE_BRANCH_KERNEL },
	{ "hv", PERF_SAMPLE_BRANCH_HV },
	{ "any", PERF_SAMPLE_BRANCH_ANY },
	{ "any_call", PERF_SAMPLE_BRANCH_ANY_CALL },
	{ "any_ret", PERF_SAMPLE_BRANCH_ANY_RETURN },
	{ "ind_call", PERF_SAMPLE_BRANCH_IND_CALL },
	{ "abort_tx", PERF_SAMPLE_BRANCH_ABORT_TX },
	{ "in_tx", PERF_SAMPLE_BRANCH_IN_TX },
	{ "no_tx", PERF_SAMPLE_BRANCH_NO_TX },
	{ "cond", PERF_SAMPLE_BRANCH_COND },
	{ "ind_jmp", PERF_SAMPLE_BRANCH_IND_JUMP },
	{ "call", PERF_SAMPLE_BRANCH_CALL },
	{ "no_flags", PERF_SAMPLE_BRANCH_NO_FLAGS },
	{ "no_cycles", PERF_SAMPLE_BRANCH_NO_CYCLES },
	{ "save_type", PERF_SAMPLE_BRANCH_TYPE_SAVE },
	{ "hw_index", PERF_SAMPLE_BRANCH_HW_INDEX },
	{ "stack", PERF_SAMPLE_BRANCH_CALL_STACK },
};

const char *branch_kinds__parse(const char *text, uint64_t *bits)
{
	const char *p;
	size_t len, i;

	for (p = text; *p; p += p[len] ? len + 1 : len) {
		len = strcspn(p, ",");
		for (i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
			if (strlen(kinds[i].name) == len && !strncasecmp(kinds[i].name, p, len))
				break;
		if (i == sizeof(kinds) / sizeof(kinds[0]))
			return p;
		*bits |= kinds[i].bit;
	}
	return NULL;
}

bool branch_kinds__are_sides(uint64_t bits)
{
	return !(bits & ~(uint64_t)(PERF_SAMPLE_BRANCH_USER | PERF_SAMPLE_BRANCH_KERNEL |
				    PERF_SAMPLE_BRANCH_HV));
}
