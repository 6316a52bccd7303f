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

#include "bpf/unwind.bpf.h"

#endif
