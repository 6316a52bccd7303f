/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Linux errno values, which are equal on all architectures bpfperf supports. */
#ifndef BPFPERF_ERRNO_BPF_H
#define BPFPERF_ERRNO_BPF_H

#define ENOENT 2
#define E2BIG 7
#define EFAULT 14
#define EBUSY 16
#define EEXIST 17
#define ENOSPC 28

#endif
