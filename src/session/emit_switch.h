/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * The switch that all programs of a session look at (bpf/maps.bpf.h), and when it was turned: what was
 * between the two is what was recorded, however long attaching, waiting and reading of counts take.
 */
#ifndef BPFPERF_SESSION_EMIT_SWITCH_H
#define BPFPERF_SESSION_EMIT_SWITCH_H

#include <stdint.h>

#include "util/mono.h"

/* CLOCK_MONOTONIC, nanoseconds: no record is older. */
static inline uint64_t emit_switch__on(int *active)
{
	uint64_t now = mono_ns();

	__atomic_store_n(active, 1, __ATOMIC_RELEASE);
	return now;
}

/* The same: records are younger only of programs that had looked at the switch before. */
static inline uint64_t emit_switch__off(int *active)
{
	__atomic_store_n(active, 0, __ATOMIC_RELEASE);
	return mono_ns();
}

#endif
