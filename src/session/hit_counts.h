/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* The counters of bpf/hits.bpf.h, mapped: a row of all events for each CPU. */
#ifndef BPFPERF_SESSION_HIT_COUNTS_H
#define BPFPERF_SESSION_HIT_COUNTS_H

#include <stddef.h>
#include <stdint.h>

struct bpf_object;

struct hit_counts {
	const uint64_t *at; /* NULL: not mapped */
	size_t sz;
	uint32_t stride; /* counters of a row */
};

/* Returns the knob hit_stride for as many events: rows of CPUs share no line of a cache. */
uint32_t hit_counts__stride(size_t event_cnt);
/* Sets the map's size before load, and maps it behind. 0 or -errno. */
int hit_counts__configure(struct bpf_object *obj, size_t event_cnt);
int hit_counts__map(struct hit_counts *hits, const struct bpf_object *obj, size_t event_cnt);
/* Returns the hits so far of an event, by its number, on a CPU; cpu -1: on all. */
uint64_t hit_counts__of(const struct hit_counts *hits, size_t event, int cpu);
/* A zeroed struct is accepted. */
void hit_counts__unmap(struct hit_counts *hits);

#endif
