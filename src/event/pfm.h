/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Vendors' own event names, through libpfm4, for the CPU this runs on. */
#ifndef BPFPERF_EVENT_PFM_H
#define BPFPERF_EVENT_PFM_H

#include "event/event.h"
#include "util/suggest.h"

/*
 * Sets type, config, config1, config2 (and what the name itself says of user and kernel)
 * of `ev` from a name libpfm4 knows: EVENT, EVENT.UMASK or EVENT:UMASK:…, PMU::EVENT….
 * LIBPFM_FORCE_PMU in the environment asks for another CPU's names. 0 or -ENOENT.
 */
int pfm__encode(const char *name, struct event *ev);
/* PMUv3 of arm64, by a table of our own (event/armv8_names.h): in pfm__use_pmus()'s list. */
#define PFM_ARMV8 "armv8"

/*
 * From now on names are those of other PMUs, by libpfm4's names of these: the first of `pmus` (NULL
 * ends it, must stay) that knows an event gives its code. NULL: this CPU's again. What sysfs says
 * of this machine's core PMUs is then left out, too. To be called before any name is asked for.
 */
void pfm__use_pmus(const char *const *pmus);
/* The list, or NULL. */
const char *const *pfm__pmus(void);
/* Offers every event name of this CPU, or of the PMUs in use. */
void pfm__suggest(struct suggest *sg);

#endif
