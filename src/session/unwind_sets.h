/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Sets of executable mappings, as processes have them, in the map unwind_sets
 * (bpf/unwind_walk.bpf.h). A set never changes: who maps more gets another one. For one thread.
 */
#ifndef BPFPERF_SESSION_UNWIND_SETS_H
#define BPFPERF_SESSION_UNWIND_SETS_H

#include <stdbool.h>
#include <stdint.h>

#include <linux/types.h>

#include "session/unwind_files.h"

struct unwind_mapping;
struct unwind_sets;

/*
 * The descriptors of unwind_sets and unwind_procs stay the caller's, as files and the putter do, whose end
 * is to be waited for before this is freed. NULL and errno ENOMEM.
 */
struct unwind_sets *unwind_sets__new(int sets_fd, int procs_fd, struct map_putter *putter,
				     struct unwind_files *files);
void unwind_sets__free(struct unwind_sets *sets);

/*
 * What a process has mapped now: `old` (an index; 0: none) where that is the same. An index, or -errno:
 * it is gone, or there are too many. A new set lives at least until the sweep after the next.
 */
int unwind_sets__read(struct unwind_sets *sets, int32_t pid, uint32_t old);
/* The mapping of a set that has pc; NULL: none. Valid until the next call of read or sweep, as those below. */
const struct unwind_mapping *unwind_sets__find(const struct unwind_sets *sets, uint32_t set,
					       uint64_t pc);
/* Its first mapping, in a process the program's own; and the one behind another. NULL: there is none. */
const struct unwind_mapping *unwind_sets__first(const struct unwind_sets *sets, uint32_t set);
const struct unwind_mapping *unwind_sets__next(const struct unwind_sets *sets, uint32_t set,
					       const struct unwind_mapping *m);
/* Gives back the sets that no process has had for two sweeps; true where one is left to be looked at. */
bool unwind_sets__sweep(struct unwind_sets *sets);

#endif
