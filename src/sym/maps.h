/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * The executable mappings of a process, sorted by address. A set is shared
 * by all processes that were forked with it, until one of them changes it.
 */
#ifndef BPFPERF_SYM_MAPS_H
#define BPFPERF_SYM_MAPS_H

#include <stddef.h>
#include <stdint.h>

struct map {
	uint64_t start, end; /* addresses, end exclusive */
	uint64_t pgoff; /* file offset of start; of what is no file, its own business */
	uint32_t dso; /* index of the file */
};

struct maps {
	struct map *maps;
	size_t cnt, cap;
	uint32_t refs;
};

/* An empty set with one reference. NULL and errno ENOMEM. */
struct maps *maps__new(void);
/* One more reference. NULL is fine. */
struct maps *maps__get(struct maps *maps);
/* One less. NULL is fine. */
void maps__put(struct maps *maps);
/*
 * Puts `map` in, over whatever lay there, as the kernel's mmap does. *maps is replaced by a copy
 * where others hold it too. 0 or -ENOMEM (unchanged).
 */
int maps__insert(struct maps **maps, const struct map *map);
/* The mapping that contains addr, or NULL; valid until the next insert. */
const struct map *maps__find(const struct maps *maps, uint64_t addr);

#endif
