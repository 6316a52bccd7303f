/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * The executable mappings of a process, sorted by address. All processes that were forked with a
 * set share it until one of them changes it, and then what has not changed: it is in chunks, so
 * that neither a mapping before a million others nor one after a fork copies them all.
 */
#ifndef BPFPERF_SYM_MAPS_H
#define BPFPERF_SYM_MAPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct map {
	uint64_t start, end; /* addresses, end exclusive */
	uint64_t pgoff; /* file offset of start; without a file its meaning depends on the dso */
	uint32_t dso; /* index of the file */
	bool is_shared, is_own; /* as in struct sym_map */
};

struct maps_chunk; /* some of them, in order; never empty */

struct maps {
	struct maps_chunk **chunks;
	size_t chunk_cnt, chunk_cap;
	size_t cnt; /* mappings */
	uint32_t refs;
};

/* A place in a set; {0}: before the first mapping. */
struct maps_iter {
	size_t chunk;
	uint32_t at;
};

/* Creates an empty set with one reference. NULL and errno ENOMEM. */
struct maps *maps__new(void);
/* Adds a reference. NULL is accepted. */
struct maps *maps__get(struct maps *maps);
/* Drops a reference. NULL is accepted. */
void maps__put(struct maps *maps);
/*
 * The set of a live process has no more mappings: nothing tells of those that end, and a program
 * may map code at new addresses without end.
 */
#define MAPS_MAX 16384u
/* In a recording: there JIT compilers' functions are mappings of their own. */
#define MAPS_RECORDED_MAX (1u << 20)

/*
 * Inserts `map`, replacing whatever it overlaps, like the kernel's mmap. *maps is replaced by a
 * copy if it is shared. 0, or unchanged: -ENOMEM, -ENOSPC (it would have more than `max`).
 */
int maps__insert(struct maps **maps, const struct map *map, size_t max);
/* The mapping that contains addr, or NULL; valid until the next insert. */
const struct map *maps__find(const struct maps *maps, uint64_t addr);
/* The next mapping by address; NULL: there are no more, or no maps. Valid until the next insert. */
const struct map *maps__next(const struct maps *maps, struct maps_iter *iter);

#endif
