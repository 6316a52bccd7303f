// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "cmd/host_machine.h"

#include <errno.h>

#include "event/pmu.h"
#include "session/checkup.h"

static int count_counters(const struct host *host, const struct model **model)
{
	struct pmu *pmu = pmu__load(host->pmu);
	int size = pmu ? checkup__group_size(pmu) : -errno;

	pmu__free(pmu);
	if (size <= 0 || size > 32)
		return size < 0 ? size : -EINVAL;
	/* cycles fits on all of them, and on a fixed one where there is any. */
	if (host->kind == HOST_ARM)
		*model = model__armv8((unsigned int)size - 1);
	else if (host->kind == HOST_INTEL)
		*model = model__x86((unsigned int)size - 1, true);
	else
		*model = model__x86((unsigned int)size, false);
	return *model ? 0 : -EINVAL;
}

int host_machine__describe(struct host *host, struct plan_machine *machine)
{
	int err = host__find(host);

	if (err)
		return err;
	machine->model = host->model;
	if (!machine->model)
		err = count_counters(host, &machine->model);
	if (!err)
		host__describe(host, machine);
	return err;
}
