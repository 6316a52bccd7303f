/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Definitions for bpf/unwind.bpf.h in user space; its includer defines the functions before it. */
#ifndef BPFPERF_UNWIND_USER_SPACE_H
#define BPFPERF_UNWIND_USER_SPACE_H

#include <linux/types.h>

/* libbpf's headers for programs define it, but some C libraries do not. */
#ifndef __always_inline
#define __always_inline inline
#endif

#endif
