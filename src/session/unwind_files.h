/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * The unwind tables of a session: one for each file of which something is mapped, made when it is
 * first needed, in the map unwind_tables (bpf/unwind_walk.bpf.h). Files of one build-id share one.
 * For one thread.
 */
#ifndef BPFPERF_SESSION_UNWIND_FILES_H
#define BPFPERF_SESSION_UNWIND_FILES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sym/sym.h"

struct map_putter;
struct unwind_files;

struct unwind_files_stats {
	size_t cnt, sz; /* tables there are, and bytes of the kernel's memory they take */
	uint64_t made, given_back; /* so far */
	uint64_t refused; /* files that have none because that would have been too much */
	uint64_t build_ns; /* what making them took */
};

/*
 * tables_fd: of unwind_tables, with UNWIND_TABLES_MAX elements; it stays the caller's, as the putter does,
 * whose end is to be waited for before this is freed. mem_max: bytes that all may take. NULL and errno.
 */
struct unwind_files *unwind_files__new(int tables_fd, struct map_putter *putter, size_t mem_max);
void unwind_files__free(struct unwind_files *files);

/*
 * One more user of the file of a mapping of the process, as that file is now: once it was changed in whatever
 * way it is another one. Its index among tables, whether there is one already or not; 0: of no file, or no
 * index is left.
 */
uint32_t unwind_files__get(struct unwind_files *files, int32_t pid, const struct sym_map *map);
/* One user less; 0 is fine. */
void unwind_files__put(struct unwind_files *files, uint32_t idx);
/*
 * Makes the table of a file that a process has mapped at start..end, where that is still to do. 0:
 * it is there, or certain that there will be none; -ENOMEM or what the kernel said: try again.
 */
int unwind_files__make(struct unwind_files *files, uint32_t idx, int32_t pid, uint64_t start,
		       uint64_t end);
/* Frees files that were not used for a while; true where files without users are left. */
bool unwind_files__sweep(struct unwind_files *files);
/* Also while another thread works with files: figures of different moments, then. */
void unwind_files__stats(const struct unwind_files *files, struct unwind_files_stats *stats);

#endif
