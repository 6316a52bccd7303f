// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "plan/pmc_names.h"

/* The first counter of each numbering: general, fixed, metrics. */
static const int bases[] = { 0, COUNTER_FIXED, COUNTER_METRIC, 64 };

static int base_of(int counter)
{
	int i = 0;

	while (counter >= bases[i + 1])
		i++;
	return i;
}

static const char *prefix_of(const struct model *model, int base)
{
	return base == 0 ? model->general_prefix : base == 1 ? model->fixed_prefix : "TD";
}

static bool is_only_one(const struct model *model, int base)
{
	return base == 1 && __builtin_popcountll(model->fixed) == 1;
}

void pmc_names__put_one(const struct model *model, int counter, struct strbuf *out)
{
	int base = base_of(counter);

	strbuf__puts(out, prefix_of(model, base));
	if (!is_only_one(model, base))
		strbuf__printf(out, "%d", counter - bases[base]);
}

void pmc_names__put_short(const struct model *model, int counter, struct strbuf *out)
{
	if (counter < COUNTER_FIXED)
		strbuf__printf(out, "%d", counter);
	else
		pmc_names__put_one(model, counter, out);
}

void pmc_names__put(const struct model *model, uint64_t counters, struct strbuf *out)
{
	int i, last;

	if (!counters)
		strbuf__puts(out, "none");
	for (i = 0; i < 64; i = last + 1) {
		last = i;
		if (!(counters & COUNTER_BIT(i)))
			continue;
		while (last + 1 < 64 && counters & COUNTER_BIT(last + 1) &&
		       base_of(last + 1) == base_of(i))
			last++;
		if (counters & (COUNTER_BIT(i) - 1))
			strbuf__putc(out, ',');
		pmc_names__put_one(model, i, out);
		if (last > i)
			strbuf__printf(out, "-%d", last - bases[base_of(i)]);
	}
}
