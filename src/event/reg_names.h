/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Names of the registers of samples (asm/perf_regs.h), as perf has them. */
#ifndef BPFPERF_EVENT_REG_NAMES_H
#define BPFPERF_EVENT_REG_NAMES_H

#include <stdbool.h>
#include <stdint.h>

/* Registers that the kernel has of user code, and of its own: the bits of sample_regs_user. */
uint64_t regs__all(void);
/* The name of a register of arm64, or else of x86; buf may hold it. NULL: there is none. */
const char *regs__name(bool is_arm64, unsigned int reg, char buf[8]);
/*
 * Parses names of this machine's registers, separated by commas; letters of either case. 0, or
 * -EINVAL: *bad is where the unknown name begins.
 */
int regs__parse(const char *list, uint64_t *mask, const char **bad);

#endif
