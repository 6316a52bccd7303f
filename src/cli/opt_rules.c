// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "cli/opt_rules.h"

#include <errno.h>

#include "util/log.h"

int opt_rules__check(const struct opt_rule *rules, uint32_t given)
{
	const struct opt_rule *r;

	for (r = rules; r->sentence; r++) {
		if ((given & r->given) != r->given || given & r->unless)
			continue;
		log_error("%s", r->sentence);
		return -EINVAL;
	}
	return 0;
}
