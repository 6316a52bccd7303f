/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Names of counters. */
#ifndef BPFPERF_PLAN_PMC_NAMES_H
#define BPFPERF_PLAN_PMC_NAMES_H

#include <stdint.h>

#include "plan/model.h"
#include "util/strbuf.h"

/* Appends the name of one counter ("PMC2", "FIX1") to `out`. */
void pmc_names__put_one(const struct model *model, int counter, struct strbuf *out);
/* Appends a set: "PMC0-3,FIX1"; "none" for an empty one. */
void pmc_names__put(const struct model *model, uint64_t counters, struct strbuf *out);
/*
 * Appends a short form for pictures: the number alone for general counters, the whole name for
 * others.
 */
void pmc_names__put_short(const struct model *model, int counter, struct strbuf *out);

#endif
