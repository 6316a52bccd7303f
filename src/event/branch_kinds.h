/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Names of branch records, as perf has them. */
#ifndef BPFPERF_EVENT_BRANCH_KINDS_H
#define BPFPERF_EVENT_BRANCH_KINDS_H

#include <stdbool.h>
#include <stdint.h>

#define BRANCH_KINDS                                                                               \
	"u, k, hv, any, any_call, any_ret, ind_call, ind_jmp, call, cond, in_tx, no_tx, "          \
	"abort_tx, save_type, stack, no_flags, no_cycles, hw_index"

/*
 * Parses "any_call,u" and adds PERF_SAMPLE_BRANCH_* to *kinds. Returns NULL, or the place of a name
 * that is none.
 */
const char *branch_kinds__parse(const char *text, uint64_t *kinds);
/* Do they name only a side (u, k, hv) and no kind? Then all kinds are recorded, as in perf. */
bool branch_kinds__are_sides(uint64_t kinds);

#endif
