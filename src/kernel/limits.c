// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "kernel/limits.h"

#include <sys/resource.h>

struct limit {
	int resource;
	bool is_raised;
	struct rlimit before; /* valid if raised */
};

static struct limit files = { .resource = RLIMIT_NOFILE }, locked = { .resource = RLIMIT_MEMLOCK };

static bool raise_limit(struct limit *l, const struct rlimit *before, rlim_t most)
{
	const struct rlimit lim = { most, most };

	if (setrlimit(l->resource, &lim))
		return false;
	if (!l->is_raised)
		l->before = *before;
	l->is_raised = true;
	return true;
}

bool limits__raise_files(void)
{
	struct rlimit lim;

	if (getrlimit(files.resource, &lim) || lim.rlim_cur == lim.rlim_max)
		return false;
	return raise_limit(&files, &lim, lim.rlim_max);
}

void limits__raise_locked(void)
{
	struct rlimit lim;

	if (!getrlimit(locked.resource, &lim) && !raise_limit(&locked, &lim, RLIM_INFINITY))
		raise_limit(&locked, &lim, lim.rlim_max);
}

static void restore_limit(const struct limit *l)
{
	if (l->is_raised)
		setrlimit(l->resource, &l->before);
}

void limits__restore(void)
{
	restore_limit(&files);
	restore_limit(&locked);
}
