/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Explains an event's result in one sentence. */
#ifndef BPFPERF_PLAN_REASON_H
#define BPFPERF_PLAN_REASON_H

#include <stddef.h>

#include "plan/simulate.h"
#include "util/strbuf.h"

/* Appends the sentence for event `at` of a simulated plan, without a full stop. */
void reason__put(const struct plan *plan, const struct sim *sim, size_t at, struct strbuf *out);

/* "counted", "takes turns", "<not counted>", "<not supported>": for display. */
const char *sim_state__text(enum sim_state state);
/*
 * "counted", "multiplexed", "not-counted", "pinned-error", "group-broken", "not-supported": for
 * programs.
 */
const char *sim_state__name(enum sim_state state);

#endif
