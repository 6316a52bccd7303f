/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Registers that some Intel events need in addition to a counter: two or four for off-core
 * responses, each of which serves the events of all, one for load latency, one for
 * FRONTEND_RETIRED. Events with equal values share one. Which event needs which is in the model
 * (kernel: intel_snb_extra_regs, intel_shared_regs_constraints()).
 */
#ifndef BPFPERF_PLAN_EXTRA_H
#define BPFPERF_PLAN_EXTRA_H

#include <stdbool.h>
#include <stdint.h>

#include "plan/plan.h"

/* At least MODEL_REG_CNT, and the parts of any uncore PMU's registers. */
#define EXTRA_REGS_MAX 40

struct extra_regs {
	struct {
		bool used;
		uint64_t val;
	} regs[EXTRA_REGS_MAX];
};

/* Takes one register (below EXTRA_REGS_MAX) for `val`: true if it was free, or holds it already. */
bool extra__hold(struct extra_regs *extra, unsigned int reg, uint64_t val);
/* Takes registers for what the core's other thread has in them, where the threads share them. */
void extra__share(const struct plan_machine *machine, struct extra_regs *extra);
/*
 * Allocates the register that `ev` needs: true; false if others hold it with other values. *code:
 * the event's code, or that of its like for the register that it got (kernel: intel_fixup_er()).
 * *like: the register that it has had, for events of cores that number and one, or as
 * uncore_rules.take() has it; 0 for a new event, and it may be NULL then.
 */
bool extra__take(const struct plan_machine *machine, struct extra_regs *extra,
		 const struct plan_event *ev, uint64_t *code, uint8_t *like);

#endif
