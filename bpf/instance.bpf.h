/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* A program of which the loader makes one instance per event (session/instances.c). */
#ifndef BPFPERF_INSTANCE_BPF_H
#define BPFPERF_INSTANCE_BPF_H

#include "wire.h"

/* The index of this instance's event: the loader writes it over the constant. */
static __always_inline __u32 instance_index(void)
{
	__u32 idx;

	asm volatile("%[idx] = %[placeholder]"
		     : [idx] "=r"(idx)
		     : [placeholder] "i"(WIRE_INDEX_PLACEHOLDER));
	return idx;
}

#endif
