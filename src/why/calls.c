// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* The system calls that samples of a cause are in. */
#include "why/causes.h"

void why_calls__add(struct why_call *calls, const char *name, uint64_t cnt)
{
	size_t i;

	for (i = 0; i < WHY_CALLS && calls[i].name && calls[i].name != name; i++)
		;
	if (i == WHY_CALLS)
		return;
	calls[i].name = name;
	calls[i].cnt += cnt;
}

const char *why_calls__most(const struct why_cause *k, const char *none)
{
	uint64_t in_kernel = k->samples[WHY_KERNEL] + k->samples[WHY_SPIN];
	size_t i;

	for (i = 0; i < WHY_CALLS; i++)
		if (k->calls[i].name && k->calls[i].cnt * 2 > in_kernel)
			return k->calls[i].name;
	return none;
}
