/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Calling conventions: where arguments and results are, by their types. Runs in readers. */
#ifndef BPFPERF_PROBE_ABI_H
#define BPFPERF_PROBE_ABI_H

#include "probe/loc.h"

/*
 * Finds the nth argument (from 0) of `func` at its first instruction, by the types of the
 * arguments up to it. PIECE_NONE: it cannot be told.
 */
void abi__param(const struct scope *sc, Dwarf_Die *func, size_t nth, struct loc *loc);
/* Finds the result of type `type` when the function has returned. */
void abi__result(const struct probe_regs *regs, Dwarf_Die *type, struct loc *loc);
/* The nth argument as a number, without types; by Go's own convention if is_go. */
void abi__number(const struct probe_regs *regs, size_t nth, bool is_go, struct loc *loc);

#endif
