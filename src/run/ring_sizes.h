/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Default sizes of the recorder's rings. */
#ifndef BPFPERF_RUN_RING_SIZES_H
#define BPFPERF_RUN_RING_SIZES_H

#include <stddef.h>

/* Bytes of each ring of samples, of process records, and of each AUX area. */
struct ring_sizes {
	size_t ring, track, aux;
};

/*
 * Chooses sizes for `cnt` rings, of CPUs or of threads: the more rings, the smaller each. ring_sz
 * and aux_sz: given sizes, 0: none. snapshot_sz: minimum size of an AUX area.
 */
struct ring_sizes ring_sizes__choose(size_t cnt, size_t ring_sz, size_t aux_sz, size_t snapshot_sz);

#endif
