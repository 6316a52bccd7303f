// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "decode/print_plan.h"

#include <stdlib.h>

void print_plan__free(struct print_plan *plan)
{
	if (!plan)
		return;
	free(plan->ops);
	free(plan->insns);
	free(plan->syms);
	free(plan->specs);
	free(plan->pool);
	free(plan);
}
