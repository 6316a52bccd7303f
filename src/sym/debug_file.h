/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Finds the separate file with the sections that were stripped from another, and verifies it. */
#ifndef BPFPERF_SYM_DEBUG_FILE_H
#define BPFPERF_SYM_DEBUG_FILE_H

#include "sym/read_elf.h"

/*
 * Opens the debug file of the file with these heads, which lies at `path`, in the tree below
 * root_fd (-1: our own root): /usr/lib/debug/.build-id/xx/yyy.debug, then by .gnu_debuglink in the
 * same directory, in its .debug/, and in /usr/lib/debug/DIRECTORY. Links lead to those of the debug
 * link only if the user has named the file (is_named), if only trusted users can write to its
 * directory, or to the last one in our own root. For our own root also, by build id, in the user's
 * caches: that of perf (~/.debug) and that of debuginfod's clients. The build id must match;
 * without one, the checksum. -1 if there is no such file.
 */
int debug_file__open(enum reader_purpose purpose, const struct elf_heads *heads, const char *path,
		     int root_fd, bool is_named);
/*
 * Opens the file that shares its DWARF with dwarf_fd, which has these heads: by its build id, or by
 * its name in our own root. -1: none, it has another build id, or dwarf_fd is not root's alone.
 */
int debug_file__open_alt(enum reader_purpose purpose, int dwarf_fd, const struct elf_heads *heads);

#endif
