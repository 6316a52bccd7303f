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

/*
 * Returns the error of a helper that changes a map, to be compared with one of the above. Up to 6.3
 * the kernel's functions returned an int, and programs called them without an extension of its
 * sign: d7ba4cc900bf (bpf: return long from bpf_map_ops funcs).
 */
static __attribute__((always_inline, unused)) inline int map_errno(long ret)
{
	return (int)ret;
}

#endif
