// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "event/pfm.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "event/armv8_names.h"
#include "event/pfm_lib.h"

/* The PMUs that names are of; NULL: those of this CPU. */
static const char *const *used_pmus;
static bool was_found; /* an event of theirs was */

void pfm__use_pmus(const char *const *pmus)
{
	/* libpfm4 reads this once; without it libpfm4 encodes events of present PMUs only. */
	pfm_lib__restart();
	if (pmus)
		setenv("LIBPFM_ENCODE_INACTIVE", "1", 1);
	used_pmus = pmus;
	was_found = false;
}

bool pfm__was_found(void)
{
	return was_found;
}

const char *const *pfm__pmus(void)
{
	return used_pmus;
}

/* The code alone: only a machine with that PMU has the number of it. */
static int encode_absent(const struct pfm_lib *pfm, const char *name, struct event *ev)
{
	pfm_pmu_encode_arg_t arg = { .size = sizeof(arg) };

	if (pfm->get_os_event_encoding(name, PFM_PLM0 | PFM_PLM3, PFM_OS_NONE, &arg) != PFM_SUCCESS)
		return -ENOENT;
	ev->type = PERF_TYPE_RAW;
	ev->config = arg.count > 0 ? arg.codes[0] : 0;
	/* Intel's filters: the lower and the upper half of the register. */
	ev->config1 = arg.count > 1 ? arg.codes[1] : 0;
	ev->config1 |= arg.count > 2 ? arg.codes[2] << 32 : 0;
	free(arg.codes);
	return 0;
}

static int encode(const struct pfm_lib *pfm, const char *name, struct event *ev)
{
	struct perf_event_attr attr = { .size = sizeof(attr) };

	int err = pfm->get_perf_event_encoding(name, PFM_PLM0 | PFM_PLM3, &attr, NULL, NULL);

	if (err == PFM_ERR_NOTSUPP && used_pmus)
		return encode_absent(pfm, name, ev);
	if (err != PFM_SUCCESS)
		return -ENOENT;
	/* libpfm4 also lists tracepoints; tracefs provides those with their formats. */
	if (attr.type == PERF_TYPE_TRACEPOINT)
		return -ENOENT;
	ev->type = used_pmus ? PERF_TYPE_RAW : attr.type;
	ev->config = attr.config;
	ev->config1 = attr.config1;
	ev->config2 = attr.config2;
	ev->exclude_user = attr.exclude_user;
	ev->exclude_kernel = attr.exclude_kernel;
	return 0;
}

static int encode_armv8(const char *pmu, const char *name, struct event *ev)
{
	ev->type = PERF_TYPE_RAW;
	return armv8_names__lookup(pmu, name, &ev->config);
}

int pfm__encode(const char *name, struct event *ev)
{
	const char *const *pmu = used_pmus;
	const struct pfm_lib *pfm;
	int err = -ENOENT;

	/* These tables need no library. */
	for (; pmu && *pmu && err; pmu++)
		if (armv8_names__has_pmu(*pmu))
			err = encode_armv8(*pmu, name, ev);
	pfm = err ? pfm_lib__get() : NULL;
	if (!err || !pfm)
		return err;
	if (!used_pmus || strstr(name, "::"))
		return encode(pfm, name, ev);
	for (pmu = used_pmus; *pmu && err; pmu++) {
		char *full;

		if (asprintf(&full, "%s::%s", *pmu, name) < 0)
			return -ENOMEM;
		err = encode(pfm, full, ev);
		free(full);
	}
	was_found |= used_pmus && !err;
	return err;
}

static bool is_wanted(const pfm_pmu_info_t *info)
{
	const char *const *pmu;

	if (!used_pmus)
		return info->is_present && info->pmu != PFM_PMU_PERF_EVENT &&
		       info->pmu != PFM_PMU_PERF_EVENT_RAW;
	for (pmu = used_pmus; *pmu; pmu++)
		if (!strcmp(*pmu, info->name))
			return true;
	return false;
}

/* Names "EVENT" and each "EVENT.UMASK". */
static void each_of_event(const struct pfm_lib *pfm, int idx, pfm_name_fn fn, void *ctx)
{
	pfm_event_info_t event = { .size = sizeof(event) };
	int i;

	if (pfm->get_event_info(idx, PFM_OS_NONE, &event) != PFM_SUCCESS)
		return;
	fn(ctx, event.name);
	for (i = 0; i < event.nattrs; i++) {
		pfm_event_attr_info_t attr = { .size = sizeof(attr) };
		char *full;

		if (pfm->get_event_attr_info(idx, i, PFM_OS_NONE, &attr) != PFM_SUCCESS ||
		    attr.type != PFM_ATTR_UMASK ||
		    asprintf(&full, "%s.%s", event.name, attr.name) < 0)
			continue;
		fn(ctx, full);
		free(full);
	}
}

void pfm__each_name(pfm_name_fn fn, void *ctx)
{
	const struct pfm_lib *pfm = pfm_lib__get();
	const char *const *own;
	int pmu, i;

	for (own = used_pmus; own && *own; own++)
		armv8_names__each(*own, fn, ctx);
	if (!pfm)
		return;
	for (pmu = 0; pmu < PFM_PMU_MAX; pmu++) {
		pfm_pmu_info_t info = { .size = sizeof(info) };

		if (pfm->get_pmu_info(pmu, &info) != PFM_SUCCESS || !is_wanted(&info))
			continue;
		for (i = info.first_event; i >= 0; i = pfm->get_event_next(i))
			each_of_event(pfm, i, fn, ctx);
	}
}

static void offer(void *ctx, const char *name)
{
	suggest__offer(ctx, name);
}

void pfm__suggest(struct suggest *sg)
{
	pfm__each_name(offer, sg);
}
