/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Mappings of a process as its records had them, in order, not yet in its struct maps. Most
 * processes of a busy machine end before one of their addresses is asked for: their mappings are
 * never sorted, and the files are never looked up.
 */
#ifndef BPFPERF_SYM_LATER_MAPS_H
#define BPFPERF_SYM_LATER_MAPS_H

#include <stdbool.h>
#include <stdint.h>

struct sym_map;

/* Bytes of one process's mappings. */
#define LATER_MAPS_MAX_SZ 4096

/* A zeroed struct is empty. */
struct later_maps {
	uint8_t *buf;
	uint32_t sz, cap; /* bytes */
};

/*
 * Copies the mapping, but for its build id. Returns false if there is no room, or no memory: those
 * that are there are to be taken out first, and this one is not for later.
 */
bool later_maps__add(struct later_maps *later, const struct sym_map *map);
/*
 * Steps through the mappings, oldest first; *at begins with 0. Returns false after the last one.
 * The path is valid until the next call of later_maps__add() or later_maps__empty().
 */
bool later_maps__next(const struct later_maps *later, uint32_t *at, struct sym_map *map);
/* Forgets all of them, and keeps the memory for the next ones if it is little. */
void later_maps__empty(struct later_maps *later);
void later_maps__free(struct later_maps *later);

#endif
