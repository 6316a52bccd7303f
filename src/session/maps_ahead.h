/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Creates maps of a BPF object before it is loaded, so that they are filled meanwhile. */
#ifndef BPFPERF_SESSION_MAPS_AHEAD_H
#define BPFPERF_SESSION_MAPS_AHEAD_H

#include <stddef.h>
#include <stdint.h>

struct bpf_object;

struct map_size {
	const char *name;
	uint32_t max; /* elements */
};

/* Sets the sizes of maps that the object has, before it is loaded. */
void maps_ahead__set_sizes(const struct bpf_object *obj, const struct map_size *maps, size_t cnt);
/*
 * Creates those maps as the object describes them, maps of maps as well; loading the object takes
 * them as they are then. 0 or -errno of the kernel.
 */
int maps_ahead__create(const struct bpf_object *obj, const struct map_size *maps, size_t cnt);

#endif
