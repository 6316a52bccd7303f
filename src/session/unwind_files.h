/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * The unwind tables of a session, in the map unwind_tables (bpf/unwind_walk.bpf.h): one for each
 * mapped file, built when it is first needed. Files with one build-id share a table. For use by one
 * thread.
 */
#ifndef BPFPERF_SESSION_UNWIND_FILES_H
#define BPFPERF_SESSION_UNWIND_FILES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <linux/types.h>

#include "sym/sym.h"

struct map_putter;
struct interp;
struct unwind_files;

struct unwind_files_stats {
	size_t cnt, sz; /* number of tables, and the kernel memory they take, in bytes */
	uint64_t made, given_back; /* tables so far */
	uint64_t refused; /* files without a table, because it would have exceeded mem_max */
	uint64_t build_ns; /* total time to build them */
};

/*
 * tables_fd: the map unwind_tables, with UNWIND_TABLES_MAX elements; ids_fd: the map
 * unwind_file_ids, with as many. Both stay the caller's, and so does the putter; wait for the
 * putter before this is freed. interp: marks tables of files with an interpreter; not owned, NULL:
 * none are. mem_max: bytes that all tables may take. NULL and errno.
 */
struct unwind_files *unwind_files__new(int tables_fd, int ids_fd, struct map_putter *putter,
				       struct interp *interp, size_t mem_max);
void unwind_files__free(struct unwind_files *files);

/*
 * Adds a user to the file of a mapping of the process. A file that has changed in any way is
 * another file. Returns the file's index among tables, which need not be built yet; 0: the mapping
 * has no file, or no index is free.
 */
uint32_t unwind_files__get(struct unwind_files *files, int32_t pid, const struct sym_map *map);
/*
 * Likewise for code that a JIT compiler writes to memory, by a key for its dump; the table is put
 * by unwind_files__replace().
 */
uint32_t unwind_files__get_code(struct unwind_files *files, uint64_t key);
/* Adds a user to one that has users. */
void unwind_files__use(struct unwind_files *files, uint32_t idx);
/* Removes a user; idx 0 is accepted. */
void unwind_files__put(struct unwind_files *files, uint32_t idx);
/*
 * Builds the table of a file that a process has mapped at start..end, unless it exists. Returns 1:
 * it was built, or there will never be one; 0: that was known; -ENOMEM or an error of the kernel:
 * try again.
 */
int unwind_files__make(struct unwind_files *files, uint32_t idx, int32_t pid, uint64_t start,
		       uint64_t end);
/* Does it have users? */
bool unwind_files__is_used(const struct unwind_files *files, uint32_t idx);
/* Can the table be replaced now, without waiting for the one before? */
bool unwind_files__is_replaceable(const struct unwind_files *files, uint32_t idx);
/*
 * Puts a table of code in place of the one before, if there is one. cnt 0: it has no rows. 0 or
 * -errno.
 */
int unwind_files__replace(struct unwind_files *files, uint32_t idx, const __u64 *words, size_t cnt);
/*
 * Frees the tables of files that have had no users for a while, and that no program has found by
 * their identity; returns true if other files without users are left.
 */
bool unwind_files__sweep(struct unwind_files *files);
/*
 * May be called while another thread changes the files: the figures may then be of different
 * moments.
 */
void unwind_files__stats(const struct unwind_files *files, struct unwind_files_stats *stats);

#endif
