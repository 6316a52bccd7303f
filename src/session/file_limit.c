// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "session/file_limit.h"

#include <sys/resource.h>

static struct rlimit before;
static bool is_raised;

bool file_limit__raise(void)
{
	struct rlimit lim, most;

	if (getrlimit(RLIMIT_NOFILE, &lim) || lim.rlim_cur == lim.rlim_max)
		return false;
	most = (struct rlimit){ lim.rlim_max, lim.rlim_max };
	if (setrlimit(RLIMIT_NOFILE, &most))
		return false;
	if (!is_raised)
		before = lim;
	is_raised = true;
	return true;
}

void file_limit__restore(void)
{
	if (is_raised)
		setrlimit(RLIMIT_NOFILE, &before);
}
