/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Finds the file that was mapped among those that can be opened. */
#ifndef BPFPERF_SYM_DSO_FILE_H
#define BPFPERF_SYM_DSO_FILE_H

#include "sym/dso.h"

struct sym_map;

/*
 * Opens the file of a DSO_FILE: through the mapping itself, through the root of the process, by
 * path, or below any other known root (its process may have ended). The build id must match the
 * recorded one; if none was recorded, device and inode must match, and the file must not have been
 * created or written to after it was mapped (inodes are reused), except for memory that a JIT
 * compiler writes to. -1 if no file matches.
 */
int dso_file__open(const struct dsos *dsos, const struct dso *dso, const struct dso_site *site);
/*
 * True if the file itself was written to, or created, after it was mapped: its earlier contents are
 * lost. A file that is not held open is checked by its path.
 */
bool dso_file__has_changed(const struct dso *dso);
/*
 * Time of the last change of any kind (st_ctime, which users cannot set) to the file that the
 * process has mapped now. 0: unknown.
 */
int64_t dso_file__changed_ns(int32_t pid, const struct sym_map *map);
/*
 * True if our own root shows the right file under the path, so that it can be opened later.
 * any_device: for a process with our root, stat() may report another device than the mapping.
 * (Under another root it may be a file with the same inode in another subvolume.)
 */
bool dso_file__in_our_root(const struct dso *dso, bool any_device);
/* "/memfd:NAME": a program without a file, or memory written by a JIT compiler. */
bool dso_file__is_memfd(const struct dso *dso);

#endif
