/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* The class of a hit of a probe, by the instruction at its place. */
#ifndef BPFPERF_PROBE_HIT_CLASS_H
#define BPFPERF_PROBE_HIT_CLASS_H

#include <stddef.h>
#include <stdint.h>

#include "event/probe.h"

/* machine: EM_… of the file; insn: sz bytes at the place. */
enum hit_class hit_class__of(uint16_t machine, const uint8_t *insn, size_t sz);

#endif
