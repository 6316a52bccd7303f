// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "plan/precise.h"

#include "plan/model_tables.h"

#define CYCLES 0x003c
#define INSTRUCTIONS 0x00c0
/* AMD's cycles not in halt, and retired micro-operations. */
#define AMD_CYCLES 0x0076
#define AMD_OPS 0x00c1
#define FIX0 COUNTER_BIT(COUNTER_FIXED)

uint64_t precise__code(const struct model *model, uint64_t code, unsigned int level)
{
	const struct precise_rules *pr = model->precise;

	if (!level || !pr || (code & BITS_ALL) != CYCLES)
		return code;
	if (level == 3)
		return pr->cycles_three ?: code;
	return pr->cycles ?: code;
}

bool precise__rule(const struct model *model, uint64_t code, uint32_t kernel,
		   const struct model_rule **listed)
{
	const struct precise_rules *pr = model->precise;

	*listed = pr->rules ? model__first_rule(pr->rules, code, kernel) : NULL;
	if (*listed)
		return true;
	*listed = model__rule(model, code, kernel);
	return pr->all;
}

uint64_t precise__three(const struct model *model, uint64_t code, uint64_t counters)
{
	bool instructions = (code & BITS_ALL) == INSTRUCTIONS;

	switch (model->precise->three) {
	case THREE_PMC0:
		return 0x1;
	case THREE_PMC0_FIX0:
		return instructions ? FIX0 | 0x1 : 0x1;
	case THREE_FIX0:
		return instructions ? FIX0 : counters;
	case THREE_FIX0_OR_PMC0:
		return instructions ? FIX0 : counters & 0x1;
	case THREE_PMC01_FIX0:
		return instructions ? FIX0 | 0x3 : counters & 0x3;
	default:
		return counters;
	}
}

bool precise__is_ibs(const struct model *model, uint64_t code)
{
	return model->precise && model->precise->ibs && (code == AMD_CYCLES || code == AMD_OPS);
}
