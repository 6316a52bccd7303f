/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Mappings of processes: a part of collect.c. All begin at collect.now_ns. */
#ifndef BPFPERF_ITRACE_COLLECT_PRIV_H
#define BPFPERF_ITRACE_COLLECT_PRIV_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "itrace/collect.h"

/* Mappings of a process: further ones are counted in maps_over_max. */
#define COLLECT_SPACE_MAPS_MAX 65536

/* All return 0; -ENOMEM; or -E2BIG, logged: there are too many mappings. */

/*
 * Mappings of a process, which are in order of address, do not overlap each other, and replace what
 * they overlap of before.
 */
int collect__map(struct collect *c, int32_t pid, const struct collect_map *list, size_t cnt);
/* Mappings likewise, which are all functions of a JIT compiler's dump, an image. */
int collect__map_dump(struct collect *c, int32_t pid, const struct collect_map *list, size_t cnt,
		      uint32_t image);
/* Has the process all functions of this dump, so that they need not be mapped again? */
bool collect__has_dump(const struct collect *c, int32_t pid, uint32_t image);
/* A process begins with the mappings of its parent, but for functions of a JIT compiler. */
int collect__fork(struct collect *c, int32_t pid, int32_t parent);
/* A process loses its mappings. */
int collect__exec(struct collect *c, int32_t pid);

#endif
