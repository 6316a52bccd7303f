// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "sink/plan_heads.h"

#include <stdlib.h>
#include <string.h>

#include "util/array.h"

struct plan_head *plan_heads__make(struct plan_heads *heads, const struct field_plan *plan)
{
	if (array__reserve((void **)&heads->by_plan, &heads->cap, plan->idx + 1,
			   sizeof(*heads->by_plan)))
		return NULL;
	for (; heads->cnt <= plan->idx; heads->cnt++)
		heads->by_plan[heads->cnt] = (struct plan_head){ .text = STRBUF_INIT };
	return &heads->by_plan[plan->idx];
}

void plan_heads__free(struct plan_heads *heads, void (*free_priv)(void *priv))
{
	size_t i;

	for (i = 0; i < heads->cnt; i++) {
		strbuf__free(&heads->by_plan[i].text);
		if (free_priv)
			free_priv(heads->by_plan[i].priv);
	}
	free(heads->by_plan);
	memset(heads, 0, sizeof(*heads));
}
