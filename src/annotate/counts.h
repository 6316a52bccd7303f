/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Samples of a recording, counted by their own address. */
#ifndef BPFPERF_ANNOTATE_COUNTS_H
#define BPFPERF_ANNOTATE_COUNTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "util/u64map.h"

struct sym;

struct addr_count {
	uint64_t place; /* sym.h */
	uint32_t event; /* index of the event */
	bool is_kernel;
	uint64_t samples, period;
};

struct addr_counts {
	struct addr_count *addrs;
	size_t cnt, cap;
	struct u64map by_key;
};

/* Counts one sample. 0 or -ENOMEM. */
int addr_counts__add(struct addr_counts *c, const struct addr_count *sample);
void addr_counts__free(struct addr_counts *c);

/* A function with samples of one event. */
struct annotated {
	const char *name, *module; /* as in sym.h */
	uint32_t event;
	bool is_kernel, is_native; /* is_native: code of a file */
	uint64_t start_place, start_addr; /* of its first byte; start_addr: the file's own */
	uint64_t sz; /* bytes; 0: unknown */
	uint64_t samples, period;
	struct addr_count *addrs; /* its part of addr_counts.addrs, by address */
	size_t addr_cnt;
};

/* The name that all functions have. */
#define ANNOTATE_ALL "*"

/*
 * Sorts the counts by function, and finds those with this name: the printed one, or that without
 * its arguments. Returns an array of *cnt functions, by event, then by descending period, which the
 * caller frees; they are valid as long as `c` is not added to. NULL and *cnt 0: there is none; NULL
 * and *cnt not 0: no memory.
 */
struct annotated *addr_counts__find(struct addr_counts *c, struct sym *sym, const char *name,
				    size_t *cnt);

#endif
