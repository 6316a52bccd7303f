/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* What bpf/unwind.bpf.h needs in user space, beside the functions that its includer defines before it. */
#ifndef BPFPERF_UNWIND_USER_SPACE_H
#define BPFPERF_UNWIND_USER_SPACE_H

#include <linux/types.h>

/* Of libbpf's headers for programs; not every C library has one. */
#ifndef __always_inline
#define __always_inline inline
#endif

#endif
