/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* The terms between the slashes of PMU/…/. Internal to event/. */
#ifndef BPFPERF_EVENT_PMU_TERMS_H
#define BPFPERF_EVENT_PMU_TERMS_H

#include <stddef.h>

#include "event/pmu.h"
#include "event/event_term.h"

/*
 * Applies `terms`, which begin `off` bytes into parent->text, to `ev`: term=value, fields of one
 * bit, events of sysfs, rNNN, name=…; for core PMUs also vendors' names. 0, -ENOMEM, or, printed
 * with a caret, -ENOENT for an unknown term and -EINVAL for a wrong value.
 */
int pmu_terms__apply(const struct event_term *parent, const struct pmu *pmu, struct event *ev,
		     const char *terms, size_t off);
/* Applies the terms of an event of sysfs that was named without its PMU. */
int pmu_terms__apply_alias(const struct event_term *parent, const struct pmu *pmu, struct event *ev,
			   const char *alias);

#endif
