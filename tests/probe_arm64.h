/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Registers of arm64, for tests of its programs on any machine. */
#ifndef BPFPERF_TESTS_PROBE_ARM64_H
#define BPFPERF_TESTS_PROBE_ARM64_H

#include <elf.h>
#include <stdint.h>

#include "probe/regs.h"

static const int16_t offs[32] = { 0,   8,   16,  24,  32,  40,  48,  56,  64,  72,  80,
				  88,  96,  104, 112, 120, 128, 136, 144, 152, 160, 168,
				  176, 184, 192, 200, 208, 216, 224, 232, 240, 248 };
static const uint8_t args[] = { 0, 1, 2, 3, 4, 5, 6, 7 };
static const struct probe_regs arm64 = {
	EM_AARCH64, 8, 8, args, 0, 1, 31, 29, 0, offs, 32, 256,
};

#endif
