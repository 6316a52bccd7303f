/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Directories in which perf (perf-buildid-cache(1), perf-record(1), perf-archive(1)) and
 * debuginfod's clients (debuginfod(8)) keep files by their build id.
 */
#ifndef BPFPERF_SYM_BUILD_ID_CACHE_H
#define BPFPERF_SYM_BUILD_ID_CACHE_H

#include <stdbool.h>
#include <stddef.h>

#include "sym/build_id.h"

enum build_id_kind {
	CACHED_DEBUG = 1 << 0, /* a file with symbols or DWARF */
	CACHED_FILE = 1 << 1, /* the program, library or vDSO itself */
	CACHED_KALLSYMS = 1 << 2, /* a copy of /proc/kallsyms */
};

/*
 * Writes the path of the file where the nth place (0, 1, …) keeps it, whether or not it exists.
 * false: there is no such place; "" if this one has none of the kind, or is not set up.
 */
bool build_id_cache__path(const struct sym_build_id *id, enum build_id_kind kind, size_t nth,
			  char *path, size_t sz);
/* Opens the program, library or vDSO with this id; the caller checks it. -1: there is none. */
int build_id_cache__open(const struct sym_build_id *id);
/* The path of a copy of that kernel's kallsyms, which the caller frees. NULL: there is none. */
char *build_id_cache__kallsyms(const struct sym_build_id *id);

#endif
