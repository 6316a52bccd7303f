/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* A program of which the loader makes one instance per event (session/instances.c). */
#ifndef BPFPERF_INSTANCE_BPF_H
#define BPFPERF_INSTANCE_BPF_H

#include <bpf/bpf_helpers.h>

#include "knobs.bpf.h"
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

/* The number of the event whose probe was hit. */
static __always_inline __u32 site_index(void *ctx)
{
	return has_attach_cookie ? (__u32)bpf_get_attach_cookie(ctx) : instance_index();
}

#endif
