/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Sets of executable mappings of processes, in the map unwind_sets (bpf/unwind_walk.bpf.h). A set
 * never changes: a process that maps more gets another set. For use by one thread.
 */
#ifndef BPFPERF_SESSION_UNWIND_SETS_H
#define BPFPERF_SESSION_UNWIND_SETS_H

#include <stdbool.h>
#include <stdint.h>

#include <linux/types.h>

#include "session/unwind_files.h"

struct unwind_dumps;
struct unwind_mapping;
struct unwind_sets;

/*
 * The fds of unwind_sets and unwind_procs stay the caller's, and so do files, dumps and the putter;
 * wait for the putter before this is freed. NULL and errno ENOMEM.
 */
struct unwind_sets *unwind_sets__new(int sets_fd, int procs_fd, struct map_putter *putter,
				     struct unwind_files *files, struct unwind_dumps *dumps);
void unwind_sets__free(struct unwind_sets *sets);

/*
 * Reads the present mappings of a process. Returns the index of their set: `old` (0: none) if they
 * are unchanged; or -errno: the process has ended, or there are too many sets. A new set lives at
 * least until the sweep after the next.
 */
int unwind_sets__read(struct unwind_sets *sets, int32_t pid, uint32_t old);
/*
 * Returns the mapping in a set that contains pc; NULL: none. This pointer and those below are valid
 * until the next call of read or sweep.
 */
const struct unwind_mapping *unwind_sets__find(const struct unwind_sets *sets, uint32_t set,
					       uint64_t pc);
/*
 * Return the set's first mapping, which usually is the program's own, and the mapping after another
 * one. NULL: there is none.
 */
const struct unwind_mapping *unwind_sets__first(const struct unwind_sets *sets, uint32_t set);
const struct unwind_mapping *unwind_sets__next(const struct unwind_sets *sets, uint32_t set,
					       const struct unwind_mapping *m);
/*
 * Looks for the owners of all sets, and forgets processes that have ended. Returns true if a set is
 * to be looked at again.
 */
bool unwind_sets__sweep(struct unwind_sets *sets);
/*
 * Frees the sets that no process has had for two sweeps, as many as can be given back to the kernel
 * without waiting; returns true if there are more.
 */
bool unwind_sets__give_back(struct unwind_sets *sets);
/* Number of times that there was no room for a set. */
uint64_t unwind_sets__refused(const struct unwind_sets *sets);

#endif
