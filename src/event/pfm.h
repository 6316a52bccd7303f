/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Vendors' own event names, through libpfm4, for the CPU this runs on. */
#ifndef BPFPERF_EVENT_PFM_H
#define BPFPERF_EVENT_PFM_H

#include <stdbool.h>

#include "event/event.h"
#include "util/suggest.h"

/*
 * Sets type, config, config1, config2 (and user and kernel, if the name specifies them) of `ev`
 * from a libpfm4 name: EVENT, EVENT.UMASK or EVENT:UMASK:…, PMU::EVENT…. LIBPFM_FORCE_PMU in the
 * environment selects another CPU's names. 0 or -ENOENT.
 */
int pfm__encode(const char *name, struct event *ev);
/*
 * PMUv3 of arm64, from our own tables (event/armv8_names.h): for the list of pfm__use_pmus(), as
 * are the other names of armv8_names__has_pmu().
 */
#define PFM_ARMV8 "armv8"

/*
 * Uses the names of other PMUs from now on, given by libpfm4's names of the PMUs: the first of
 * `pmus` (ended by NULL, must stay valid) that knows an event gives its code. NULL: this CPU's
 * again. Events of this machine's core PMUs in sysfs are then ignored, too. Call it before any name
 * is looked up.
 */
void pfm__use_pmus(const char *const *pmus);
/* The list, or NULL. */
const char *const *pfm__pmus(void);
/* Has pfm__encode() found an event since pfm__use_pmus()? */
bool pfm__was_found(void);
typedef void (*pfm_name_fn)(void *ctx, const char *name);
/* Calls `fn` for every "EVENT" and "EVENT.UMASK" of this CPU, or of the selected PMUs. */
void pfm__each_name(pfm_name_fn fn, void *ctx);
/* Offers every event name of this CPU, or of the selected PMUs. */
void pfm__suggest(struct suggest *sg);

#endif
