/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * The switch that all programs of a session test (bpf/maps.bpf.h), and the times of its two turns:
 * the recording is what lies between them, however long attaching, waiting and reading of counts
 * take.
 */
#ifndef BPFPERF_SESSION_EMIT_SWITCH_H
#define BPFPERF_SESSION_EMIT_SWITCH_H

#include <stdint.h>

#include "util/mono.h"

/* Switches emission on. Returns the time, CLOCK_MONOTONIC ns: no record is older. */
static inline uint64_t emit_switch__on(int *active)
{
	uint64_t now = mono_ns();

	__atomic_store_n(active, 1, __ATOMIC_RELEASE);
	return now;
}

/*
 * Switches emission off and returns the time. Only programs that tested the switch before emit
 * younger records.
 */
static inline uint64_t emit_switch__off(int *active)
{
	__atomic_store_n(active, 0, __ATOMIC_RELEASE);
	return mono_ns();
}

#endif
