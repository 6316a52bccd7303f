/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* The BPF objects in the skeletons, which are compressed (tools/pack-skel.c). */
#ifndef BPFPERF_SESSION_SKEL_DATA_H
#define BPFPERF_SESSION_SKEL_DATA_H

#include <stddef.h>

/*
 * Unpacks an object of sz bytes into *data at the first call, for the life of the process. Returns
 * *data and sets *sz_out; NULL and 0: out of memory.
 */
const void *skel_data__unpack(void **data, const void *packed, size_t packed_sz, size_t sz,
			      size_t *sz_out);

#endif
