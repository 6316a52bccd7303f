/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Precise events (:p to :ppp): Intel's PEBS, which has constraints of its own, and AMD's IBS, which
 * is another PMU. Kernel: intel_pebs_constraints(), amd_pmu_hw_config().
 */
#ifndef BPFPERF_PLAN_PRECISE_H
#define BPFPERF_PLAN_PRECISE_H

#include <stdbool.h>
#include <stdint.h>

#include "plan/model.h"

/* The counters of events with three p (kernel: the families' get_event_constraints()). */
enum precise_three {
	THREE_AS_TWO,
	THREE_PMC0, /* always the first general counter */
	THREE_PMC0_FIX0, /* that, or for instructions the first fixed one */
	THREE_FIX0, /* instructions on the first fixed counter, others as with two */
	THREE_FIX0_OR_PMC0, /* that, but others on the first general counter, or not at all */
	THREE_PMC01_FIX0, /* on the first two, and instructions on the first fixed one as well */
};

struct precise_rules {
	const struct model_rule *rules; /* the first one that matches applies; NULL: none */
	bool ibs; /* AMD: IBS has cycles and micro-operations, and needs no counter; no others */
	bool all; /* an event without a rule has its usual counters; otherwise it has none */
	uint8_t max; /* how many p the PMU takes */
	enum precise_three three;
	uint64_t cycles, cycles_three; /* counted in the place of cycles; 0: cycles themselves */
};

/* The code that the kernel counts instead of `code` for an event with `level` p. */
uint64_t precise__code(const struct model *model, uint64_t code, unsigned int level);
/*
 * The rule for such a code: *listed, PEBS' own or the model's, NULL: none in either. Returns false
 * if PEBS does not have the event.
 */
bool precise__rule(const struct model *model, uint64_t code, uint32_t kernel,
		   const struct model_rule **listed);
/* With three p, `counters` or fewer of them. */
uint64_t precise__three(const struct model *model, uint64_t code, uint64_t counters);
/* Is the event, written as precise, one of AMD's IBS? */
bool precise__is_ibs(const struct model *model, uint64_t code);

#endif
