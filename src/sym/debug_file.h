/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Finds the separate file with the sections that were stripped from another, and verifies it. */
#ifndef BPFPERF_SYM_DEBUG_FILE_H
#define BPFPERF_SYM_DEBUG_FILE_H

#include "sym/elf_file.h"

/*
 * Opens the debug file of `file`, which lies at `path`, in the tree below root_fd (-1: our own
 * root): /usr/lib/debug/.build-id/xx/yyy.debug, then by .gnu_debuglink in the same directory, in
 * its .debug/, and in /usr/lib/debug/DIRECTORY. For our own root also, by build id, in the user's
 * caches: that of perf (~/.debug) and that of debuginfod's clients. The build id must match;
 * without one, the checksum. -1 if there is no such file.
 */
int debug_file__open(const struct elf_file *file, const char *path, int root_fd);

#endif
