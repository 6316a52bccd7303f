/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Which of the files that can be opened is the one that was mapped. */
#ifndef BPFPERF_SYM_DSO_FILE_H
#define BPFPERF_SYM_DSO_FILE_H

#include "sym/dso.h"

struct sym_map;

/*
 * Opens the file of a DSO_FILE: through the mapping itself, through the root of the process, by
 * path, or below any other root that is known (its process may have ended). The build-id must be
 * the recorded one; where none was recorded, device and inode, and the file may neither be born nor
 * written to later than it was mapped (inodes are used again), but for memory that a JIT compiler
 * writes to. -1 where none is the right one.
 */
int dso_file__open(const struct dsos *dsos, const struct dso *dso, const struct dso_site *site);
/*
 * The file itself was written to, or came to be, later than it was mapped: what it had then is
 * gone. Of one that is not held open, by its path.
 */
bool dso_file__has_changed(const struct dso *dso);
/*
 * When the file that the process has mapped now was last changed in whatever way (st_ctime, which
 * no user can set). 0: that cannot be told.
 */
int64_t dso_file__changed_ns(int32_t pid, const struct sym_map *map);
/*
 * Our own root shows the right file under the path: it can be opened later. any_device: of a
 * process that has our root, stat() may tell another device than the mapping. (Of another root it
 * may be what has the same inode in another subvolume.)
 */
bool dso_file__in_our_root(const struct dso *dso, bool any_device);
/* "/memfd:NAME": a program without a file, or what a JIT compiler writes. */
bool dso_file__is_memfd(const struct dso *dso);

#endif
