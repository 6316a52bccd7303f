/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * The step from frame to frame of the kernel's programs, compiled for user space. The includer has
 * defined before it what bpf/unwind.bpf.h asks for.
 */
#ifndef BPFPERF_UNWIND_STEP_H
#define BPFPERF_UNWIND_STEP_H

#include <linux/types.h>

/* Of libbpf's headers for programs; not every C library has one. */
#ifndef __always_inline
#define __always_inline inline
#endif

#include "bpf/unwind_wire.h"

/* The includer's. */
static long unwind_read(__u64 *value, __u64 addr);
static long unwind_sample_reg(void *ctx, __u32 reg, __u64 *v);
static const struct unwind_rule *unwind_find(void *ctx, __u64 pc);

#include "bpf/unwind.bpf.h"

#endif
