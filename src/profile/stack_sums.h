/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * The stacks of a profile that look alike: equal group, event and names of functions, whatever the
 * addresses in these functions.
 */
#ifndef BPFPERF_PROFILE_STACK_SUMS_H
#define BPFPERF_PROFILE_STACK_SUMS_H

#include <stdbool.h>
#include <stdint.h>

#include "profile/profile.h"

#define STACK_SUMS_END UINT32_MAX

struct stack_sums {
	/* by index into profile.stacks: the next stack that looks alike, or STACK_SUMS_END */
	uint32_t *next;
	bool *is_head; /* likewise: the first one of its list */
};

/*
 * Makes the lists, in the order of the stacks. All locations must have been looked up
 * (profile__funcs()). 0 or -ENOMEM; free it in both cases.
 */
int stack_sums__make(struct stack_sums *sums, const struct profile *p);
void stack_sums__free(struct stack_sums *sums);

#endif
